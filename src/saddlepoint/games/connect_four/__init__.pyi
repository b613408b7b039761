from .evaluators import ConnectFourNetwork as ConnectFourNetwork, Threats as Threats
from .game import ConnectFour as ConnectFour
