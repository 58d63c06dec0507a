import { printedLines, visible } from '../shared/escape.js'
import { createPage } from '../shared/page.js'
import { wrap } from '../shared/wrap.js'
import { judgeAlone, namespaceOf, type RuleExplanation, STACKS, unjudged } from './explanation.js'

const MAX_MUTANTS = 8

/** The explanation for a terminal; code is never wrapped. Ends with a newline. */
export function renderExplanationText(
  { rule, cases, mutants, explanation, mending }: RuleExplanation,
  options: { readonly color: boolean; readonly width: number },
): string {
  const { colors, width } = createPage(options)
  const prose = (text: string, indent = '  '): string[] =>
    wrap(visible(text), Math.min(width, 100) - indent.length).map((line) => indent + line)
  const part = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', colors.bold(title), ...lines]
  // Not wrapped: it is there to be copied.
  const address = (text: string): string => `    ${colors.dim(visible(text))}`
  const why = unjudged(rule)
  const moreMutants = mutants.length - MAX_MUTANTS
  return printedLines(
    [
      `${colors.bold(visible(rule.id))} ${colors.dim(visible(`(section ${rule.section}, ${rule.level})`))}`,
      ...prose(rule.statement, ''),
      ...(why === undefined ? [] : ['', ...prose(why, '')]),
      ...part(
        'Where it is written',
        rule.source ? [...prose(`“${rule.source.says}”`), address(rule.source.at)] : [],
      ),
      ...part('Why it matters to a shipped client', explanation ? prose(explanation.why) : []),
      ...part(
        'What judges it',
        why !== undefined
          ? []
          : [
              ...cases.flatMap(({ id, title }) => prose(`${id}: ${title}`)),
              `  ${colors.dim(visible(judgeAlone(rule)))}`,
            ],
      ),
      ...part('Servers that break it on purpose', [
        ...mutants.slice(0, MAX_MUTANTS).flatMap(({ id, description }) => prose(`${id}: ${description}`)),
        ...(moreMutants > 0 ? [`  and ${moreMutants} more: token-assay list mutants`] : []),
        ...(mutants[0] === undefined ? [] : [`  ${colors.dim(tryOne(rule.id, mutants[0].id))}`]),
      ]),
      ...part(
        'Seen elsewhere',
        (explanation?.seen ?? []).flatMap((seen) => [
          ...prose(`${seen.in}: ${seen.fault}`),
          address(seen.source),
        ]),
      ),
      ...(mending === undefined
        ? []
        : [
            ...part(`How to mend it: ${mending.title}`, [
              ...prose(mending.advice),
              ...(explanation?.note === undefined ? [] : prose(explanation.note)),
            ]),
            ...STACKS.flatMap(({ key, name }) => [
              '',
              `  ${colors.bold(name)}`,
              ...mending.code[key]
                .trimEnd()
                .split('\n')
                // A terminal's tab stops are wide.
                .map((line) => (line === '' ? '' : `    ${line.replaceAll('\t', '  ')}`)),
            ]),
          ]),
    ],
    options.color,
  )
}

/** Mutants of a profile are run by `prove` alone. */
function tryOne(rule: string, mutant: string): string {
  const profile = namespaceOf(rule)
  return profile === undefined
    ? `token-assay serve --mutant ${mutant}`
    : `token-assay prove --profile ${profile} --mutant ${mutant}`
}
