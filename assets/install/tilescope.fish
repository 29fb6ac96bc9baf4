# Completion of tilescope for fish. Flags come from --help and kernels from the catalogue.
function __tilescope_commands
    tilescope --help 2>/dev/null | sed -n '/[Ss][Uu][Bb][Cc][Oo][Mm][Mm][Aa][Nn][Dd][Ss]/,$s/^  *\([a-z][a-z]*\)  .*/\1/p'
end
function __tilescope_flags
    tilescope (commandline -opc)[2] --help 2>/dev/null | string match -ra -- '--[a-z][a-z-]*' | sort -u
end
function __tilescope_kernels
    tilescope list --json 2>/dev/null | string replace -rf '.*"variant": "(.*)".*' '$1'
end
complete -c tilescope -n __fish_use_subcommand -a '(__tilescope_commands)'
complete -c tilescope -n 'not __fish_use_subcommand' -a '(__tilescope_kernels)'
complete -c tilescope -n 'not __fish_use_subcommand; and string match -q -- "-*" (commandline -ct)' -a '(__tilescope_flags)'
