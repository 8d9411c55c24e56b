import type { CompletionTable } from './table.ts';
import { shTables } from './table.ts';

export const zshScript = (table: CompletionTable): string => `#compdef ohmstead
# Completion of ohmstead for zsh. In ~/.zshrc, after compinit: source <(ohmstead completion zsh)

${shTables(table)}
_ohmstead() {
  local current=\${words[CURRENT]} previous=\${words[CURRENT-1]}
  local route='' list='' word
  integer position=0 i
  if [[ $current == --*=* ]]; then
    previous=\${current%%=*}
    compset -P '*='
  fi
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    if [[ $word == -* ]]; then
      [[ " $(_ohmstead_options "$route") " == *" $word= "* ]] && i=$((i + 1))
    elif [[ $position == 0 && " $(_ohmstead_words "$route") " == *" $word "* ]]; then
      route="\${route:+$route }$word"
    else
      position=$((position + 1))
    fi
  done
  if [[ " $(_ohmstead_options "$route") " == *" $previous= "* ]]; then
    list=$(_ohmstead_values "$route $previous")
  elif [[ $current == -* ]]; then
    list=$(_ohmstead_options "$route")
    list=\${list//=/}
  else
    [[ $position == 0 ]] && list=$(_ohmstead_words "$route")
    list="$list $(_ohmstead_values "$route $((position + 1))")"
  fi
  if [[ $list == *@files* ]]; then
    _files
  else
    compadd -- \${=list}
  fi
}

if [[ \${funcstack[1]} == _ohmstead ]]; then
  _ohmstead "$@"
else
  compdef _ohmstead ohmstead
fi
`;
