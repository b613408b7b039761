from .game import ConnectFour as ConnectFour
from .network import ConnectFourNetwork as ConnectFourNetwork
from .threats import Threats as Threats
