# Completion of tilescope for bash. Flags come from --help and kernels from the catalogue, so that
# nothing here has to be kept up to date.
_tilescope() {
  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} words
  if [ "$COMP_CWORD" = 1 ]; then
    words=$(tilescope --help 2>/dev/null | sed -n '/[Ss][Uu][Bb][Cc][Oo][Mm][Mm][Aa][Nn][Dd][Ss]/,$s/^  *\([a-z][a-z]*\)  .*/\1/p')
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word"; compgen -f -- "$word")
  elif [[ $word == -* ]]; then
    words=$(tilescope "$command" --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]*' | sort -u)
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  else
    words=$(tilescope list --json 2>/dev/null | sed -n 's/.*"variant": "\(.*\)".*/\1/p')
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word"; compgen -f -- "$word")
  fi
}
complete -o filenames -F _tilescope tilescope
