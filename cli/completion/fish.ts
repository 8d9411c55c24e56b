import { type Candidate, type CompletionTable, quote } from './table.ts';

export const fishScript = ({
  words,
  options,
  values,
}: CompletionTable): string => `# Completion of ohmstead for fish. In ~/.config/fish/config.fish: ohmstead completion fish | source

${lookup('words', words, candidateLines)}
${lookup('options', options, candidateLines)}
${lookup('valued', options, (list) => list.filter(({ takesValue }) => takesValue).map(({ word }) => word))}
${lookup('values', values, (list) => (list === 'files' ? ['@files'] : list))}
function __ohmstead
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l route
    set -l position 1
    set -l awaits ''
    for word in $before[2..]
        set -l key (string join ' ' -- $route)
        if test -n "$awaits"
            set awaits ''
        else if string match -q -- '-*' $word
            contains -- $word (__ohmstead_valued $key); and set awaits $word
        else if test $position = 1; and contains -- $word (__ohmstead_words $key | string split -f 1 \\t)
            set -a route $word
        else
            set position (math $position + 1)
        end
    end
    set -l key (string join ' ' -- $route)
    set -l list
    if test -n "$awaits"
        set list (__ohmstead_values "$key $awaits")
    else if string match -q -- '-*' $current
        set list (__ohmstead_options $key)
    else
        test $position = 1; and set list (__ohmstead_words $key)
        set -a list (__ohmstead_values "$key $position")
    end
    if contains -- @files $list
        __fish_complete_path $current
    else
        printf '%s\\n' $list
    end
end

complete -c ohmstead -f -a '(__ohmstead)'
`;

const candidateLines = (list: readonly Candidate[]): string[] => list.map(({ word, help }) => `${word}\t${help}`);

function lookup<Value>(name: string, rows: Map<string, Value>, linesOf: (value: Value) => readonly string[]): string {
  const cases = [...rows].flatMap(([key, value]) => [
    `        case ${quote(key)}`,
    `            printf '%s\\n' ${linesOf(value).map(quote).join(' ')}`,
  ]);
  return [`function __ohmstead_${name}`, '    switch "$argv"', ...cases, '    end', 'end', ''].join('\n');
}
