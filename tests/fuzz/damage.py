"""Damage: to bytes, cells, lines, structure and encoding."""

from __future__ import annotations

from random import Random

from tests.fuzz.damage_bytes import (
    Damage,
    another_number,
    cut_a_line,
    cut_the_beginning,
    cut_the_rest,
    double_a_line,
    double_bytes,
    flip_a_bit,
    insert_a_byte,
    insert_a_line,
    insert_a_mark,
    insert_an_odd_byte,
    join_two_lines,
    lose_a_line,
    lose_a_mark,
    lose_any_line,
    lose_bytes,
    odd_byte_in_a_number,
    only_rubbish,
    other_digits,
    repeat_the_file,
    split_a_line,
    swap_two_lines,
)
from tests.fuzz.damage_cells import (
    a_blank_in_a_cell,
    a_cell_of_another_column,
    a_cell_of_another_line,
    add_a_cell,
    change_cells,
    double_a_cell,
    double_a_column,
    empty_a_cell,
    lose_a_cell,
    lose_the_last_cell,
    lose_the_last_column,
    odd_byte_in_the_last_cell,
    swap_two_cells,
)
from tests.fuzz.damage_structure import (
    carriage_returns,
    damage_json,
    damage_tags,
    double_a_key,
    double_an_attribute,
    encode_otherwise,
    join_two_files,
    lengthen_a_cell,
    mark_the_middle,
    nest_deeply,
    no_final_newline,
    normalise_otherwise,
    other_blanks,
    some_carriage_returns,
)

CELLS = (
    lose_the_last_cell,
    lose_the_last_cell,
    lose_a_cell,
    add_a_cell,
    add_a_cell,
    double_a_cell,
    swap_two_cells,
    empty_a_cell,
    a_cell_of_another_line,
    a_cell_of_another_column,
    a_blank_in_a_cell,
    odd_byte_in_the_last_cell,
)
DAMAGE: list[Damage] = [
    flip_a_bit,
    flip_a_bit,
    lose_bytes,
    insert_a_byte,
    insert_an_odd_byte,
    insert_an_odd_byte,
    odd_byte_in_a_number,
    double_bytes,
    insert_a_mark,
    insert_a_mark,
    lose_a_mark,
    lose_a_mark,
    another_number,
    another_number,
    other_digits,
    cut_the_rest,
    cut_the_beginning,
    only_rubbish,
    lose_a_line,
    lose_a_line,
    lose_any_line,
    double_a_line,
    swap_two_lines,
    cut_a_line,
    join_two_lines,
    split_a_line,
    insert_a_line,
    repeat_the_file,
    *map(change_cells, CELLS),
    lose_the_last_column,
    double_a_column,
    double_an_attribute,
    damage_json,
    damage_json,
    damage_json,
    double_a_key,
    nest_deeply,
    damage_tags,
    damage_tags,
    encode_otherwise,
    carriage_returns,
    some_carriage_returns,
    no_final_newline,
    other_blanks,
    join_two_files,
    mark_the_middle,
    lengthen_a_cell,
    normalise_otherwise,
]


def damage(files: dict[str, bytes], rng: Random) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """Damage a file once or a few times, and sometimes the file next to it."""
    files = dict(files)
    applied = []
    for _ in range(rng.choice((1, 1, 1, 1, 2, 3))):
        beside = [name for name in files if name]
        name = rng.choice(beside) if beside and rng.random() < 0.15 else ""
        if not files[name]:
            continue
        chosen = rng.choice(DAMAGE)
        files[name] = chosen(files[name], rng)
        applied.append(chosen.__name__)
    return files, tuple(applied)
