#compdef tilescope
# Completion of tilescope for zsh. Flags come from --help and kernels from the catalogue.
local -a choices
local command=$words[2]
if (( CURRENT == 2 )); then
  choices=(${(f)"$(tilescope --help 2>/dev/null | sed -n '/[Ss][Uu][Bb][Cc][Oo][Mm][Mm][Aa][Nn][Dd][Ss]/,$s/^  *\([a-z][a-z]*\)  .*/\1/p')"})
elif [[ $PREFIX == -* ]]; then
  choices=(${(f)"$(tilescope $command --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]*' | sort -u)"})
else
  choices=(${(f)"$(tilescope list --json 2>/dev/null | sed -n 's/.*"variant": "\(.*\)".*/\1/p')"})
fi
compadd -a choices
_files
