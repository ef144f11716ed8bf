"""Writes web/src/ui/font/instrument-sans-subset.woff2. Run by hand; needs fontTools and brotli.

    python3 scripts/subset-font.py instrument-sans-latin-wdth-normal.woff2

The argument is that file of the npm package @fontsource-variable/instrument-sans (version 5.3.0; OFL 1.1). Weight and
width stay variable. Kerning does not, because its variations are 40 % of the file. It is fixed at weight 500, which
headings and buttons use, and rounded to 4/1000 em, a quarter of a pixel at 60 px.
"""

import sys

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib.models import normalizeValue, piecewiseLinearMap
from fontTools.varLib.varStore import VarStoreInstancer

CHARACTERS = {*range(0x20, 0x7F), *map(ord, "\u00a0©·×é–—‘’“”…−")}
KERNING_WEIGHT = 500
KERNING_STEP = 4  # thousandths of an em


def subset_characters(path):
    font = TTFont(path)
    options = subset.Options()
    options.layout_features = ["kern", "liga", "tnum", "lnum"]
    options.hinting = False
    options.notdef_outline = True
    options.name_IDs = ["*"]
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=CHARACTERS)
    subsetter.subset(font)
    return font


def freeze_kerning(font):
    axis = next(axis for axis in font["fvar"].axes if axis.axisTag == "wght")
    weight = normalizeValue(KERNING_WEIGHT, (axis.minValue, axis.defaultValue, axis.maxValue))
    weight = piecewiseLinearMap(weight, font["avar"].segments["wght"])
    store = font["GDEF"].table.VarStore
    variation = VarStoreInstancer(store, font["fvar"].axes, {"wght": weight, "wdth": 0})
    for pairs in list_pair_tables(font):
        for value in list_values(pairs):
            advance, device = value.XAdvance, value.XAdvDevice
            if device is not None:
                advance += variation[(device.StartSize << 16) + device.EndSize]
            value.XAdvance = round(advance / KERNING_STEP) * KERNING_STEP
            del value.XAdvDevice
        pairs.ValueFormat1 = 4  # XAdvance alone
    del font["GDEF"]


def list_pair_tables(font):
    for lookup in font["GPOS"].table.LookupList.Lookup:
        for table in lookup.SubTable:
            pairs = getattr(table, "ExtSubTable", table)
            if pairs.LookupType == 2:
                yield pairs


def list_values(pairs):
    if pairs.Format == 1:
        return [record.Value1 for one in pairs.PairSet for record in one.PairValueRecord]
    return [second.Value1 for first in pairs.Class1Record for second in first.Class2Record]


if __name__ == "__main__":
    font = subset_characters(sys.argv[1])
    freeze_kerning(font)
    font.flavor = "woff2"
    font.save("web/src/ui/font/instrument-sans-subset.woff2")
