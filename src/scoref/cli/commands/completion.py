"""Print a script that completes commands, options and values in a shell.

The script has all options of this version, and must be made again after an update.

Example commands:
  scoref completion bash > ~/.local/share/bash-completion/completions/scoref
  scoref completion zsh > ~/.zfunc/_scoref
  scoref completion fish > ~/.config/fish/completions/scoref.fish
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from scoref.cli.command import Arguments, Command, Option, find_command
from scoref.cli.commands import COMMANDS

COMMAND = Command(__doc__, Option("bash|zsh|fish", "the shell", dest="shell", metavar="SHELL"))


def run(arguments: Arguments) -> int:
    """Print the script."""
    write = {"bash": _bash, "zsh": _zsh, "fish": _fish}[arguments.shell]
    print("\n".join(write({name: find_command(name) for name in COMMANDS})))
    return 0


def _bash(commands: Mapping[str, Command]) -> Iterator[str]:
    yield "# bash completion of scoref, made by `scoref completion bash`"
    yield "_scoref() {"
    yield '    local cur="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"'
    yield "    local known="
    yield "    COMPREPLY=()"
    yield '    if [ "$COMP_CWORD" -eq 1 ]; then'
    yield f'        known="{" ".join(commands)} --help --version"'
    yield '    else case "${COMP_WORDS[1]} $previous" in'
    for name, command in commands.items():
        for option in command.flags:
            cases = "|".join(f'"{name} {flag}"' for flag in option.names)
            if option.values:
                yield f'        {cases}) known="{" ".join(option.values)}" ;;'
            elif option.value:  # a value that is a file, or unknown
                yield f"        {cases}) return ;;"
    for name, command in commands.items():
        flags = " ".join(flag for option in command.flags for flag in option.names)
        values = " ".join(v for option in _arguments(command) for v in option.values)
        yield f'        "{name} "*) case "$cur" in'
        yield f'            -*) known="{flags}" ;;'
        yield f'            *) known="{values}" ;;' if values else "            *) return ;;"
        yield "        esac ;;"
    yield "    esac; fi"
    yield '    [ -z "$known" ] || COMPREPLY=($(compgen -W "$known" -- "$cur"))'
    yield "}"
    yield "# Without a suggestion, names of files are completed."
    yield "complete -o default -o bashdefault -F _scoref scoref"


def _arguments(command: Command) -> list[Option]:
    """Return the arguments that are not flags."""
    return [option for option in command.options if not option.is_flag]


def _zsh(commands: Mapping[str, Command]) -> Iterator[str]:
    yield "#compdef scoref"
    yield "# zsh completion of scoref, made by `scoref completion zsh`"
    yield "_scoref() {"
    yield "    local -a commands"
    yield "    commands=("
    for name, command in commands.items():
        yield f"        {_quoted(f'{name}:{command.summary}')}"
    yield "    )"
    yield "    if (( CURRENT == 2 )); then"
    yield "        _describe command commands"
    yield "        return"
    yield "    fi"
    yield "    shift words"
    yield "    (( CURRENT-- ))"
    yield "    case $words[1] in"
    for name, command in commands.items():
        yield f"        {name})"
        yield "            _arguments -S \\"
        for option in command.flags:
            for flag in option.names:
                yield f"                {_quoted(_zsh_flag(flag, option))} \\"
        values = [value for option in _arguments(command) for value in option.values]
        if values:
            listed = " ".join(values)
            yield f"                {_quoted(f'1:value:({listed})')} \\"
        yield "                '*:file:_files' ;;"
    yield "    esac"
    yield "}"
    yield 'if [ "$funcstack[1]" = _scoref ]; then _scoref "$@"; else compdef _scoref scoref; fi'


def _zsh_flag(name: str, option: Option) -> str:
    text = _brief(option).replace("[", "").replace("]", "")
    if not option.value:
        return f"*{name}[{text}]"
    values = f"({' '.join(option.values)})" if option.values else "_files"
    return f"*{name}[{text}]:value:{values}"


def _fish(commands: Mapping[str, Command]) -> Iterator[str]:
    yield "# fish completion of scoref, made by `scoref completion fish`"
    for name, command in commands.items():
        summary = _quoted(command.summary)
        yield f"complete -c scoref -n __fish_use_subcommand -f -a {name} -d {summary}"
    for name, command in commands.items():
        seen = f"complete -c scoref -n '__fish_seen_subcommand_from {name}'"
        for option in command.flags:
            names = " ".join(
                f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"
                for flag in option.names
            )
            takes = ""
            if option.value:
                takes = f" -x -a {_quoted(' '.join(option.values))}" if option.values else " -r"
            yield f"{seen} {names}{takes} -d {_quoted(_brief(option))}"
        for argument in _arguments(command):
            if argument.values:
                yield f"{seen} -f -a {_quoted(' '.join(argument.values))}"


def _brief(option: Option) -> str:
    """Return the beginning of the help, for a line of a list."""
    return re.split(r"[:;,(]", option.help)[0].strip()


def _quoted(text: str) -> str:
    """Quote a text for a shell, on one line."""
    one_line = " ".join(text.split())
    return "'" + one_line.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}") + "'"
