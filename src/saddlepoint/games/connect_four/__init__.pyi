from .game import ConnectFour as ConnectFour
from .threats import Threats as Threats
