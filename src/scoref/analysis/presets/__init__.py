"""Presets: the scores of published evaluations of single phenomena, as their own code has them."""

from scoref.analysis.presets.gap import gap as gap
from scoref.analysis.presets.mei import mei as mei
from scoref.analysis.presets.preset_scores import PresetScores as PresetScores
from scoref.analysis.presets.winobias import winobias as winobias
from scoref.analysis.presets.winopron import winopron as winopron
