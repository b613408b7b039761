from .game import Tron as Tron
