import { printedLines, visible } from '../shared/escape.js'
import { createPage, type Page, paragraph } from '../shared/page.js'
import {
  judgeAlone,
  leftOutAlone,
  namespaceOf,
  type RuleExplanation,
  STACKS,
  unjudged,
} from './explanation.js'

const MAX_MUTANTS = 8

/** The explanation for a terminal; code is never wrapped. Ends with a newline. */
export function renderExplanationText(
  explained: RuleExplanation,
  options: { readonly color: boolean; readonly width: number },
): string {
  const { rule, cases, explanation } = explained
  const page = createPage(options)
  const { colors } = page
  const why = unjudged(rule)
  const { source } = rule
  const lines = [
    `${colors.bold(visible(rule.id))} ${colors.dim(visible(`(section ${rule.section}, ${rule.level})`))}`,
    ...prose(rule.statement, page, ''),
    ...(why === undefined ? [] : ['', ...prose(why, page, '')]),
    ...part(
      'Where it is written',
      source ? [...prose(`“${source.says}”`, page), address(source.at, page)] : [],
      page,
    ),
    ...part('Why it matters to a shipped client', explanation ? prose(explanation.why, page) : [], page),
    ...part('What judges it', why === undefined ? judgedLines(rule, cases, page) : [], page),
    ...part('Servers that break it on purpose', mutantLines(explained, page), page),
    ...part('Seen elsewhere', seenLines(explained, page), page),
    ...fixLines(explained, page),
  ]
  return printedLines(lines, options.color)
}

function part(title: string, lines: readonly string[], { colors }: Page): readonly string[] {
  return lines.length === 0 ? [] : ['', colors.bold(title), ...lines]
}

function prose(text: string, page: Page, indent = '  '): readonly string[] {
  return paragraph(text, { ...page, width: Math.min(page.width, 100) }, indent)
}

/** Not wrapped: it is there to be copied. */
function address(text: string, { colors }: Page): string {
  return `    ${colors.dim(visible(text))}`
}

function judgedLines(rule: RuleExplanation['rule'], cases: RuleExplanation['cases'], page: Page) {
  const leftOut = leftOutAlone(cases)
  return [
    ...cases.flatMap(({ id, title }) => prose(`${id}: ${title}`, page)),
    `  ${page.colors.dim(visible(judgeAlone(rule)))}`,
    ...(leftOut === undefined ? [] : prose(leftOut, page)),
  ]
}

function mutantLines({ rule, mutants }: RuleExplanation, page: Page): readonly string[] {
  const more = mutants.length - MAX_MUTANTS
  return [
    ...mutants.slice(0, MAX_MUTANTS).flatMap(({ id, description }) => prose(`${id}: ${description}`, page)),
    ...(more > 0 ? [`  and ${more} more: token-assay list mutants`] : []),
    ...(mutants[0] === undefined ? [] : [`  ${page.colors.dim(tryOne(rule.id, mutants[0].id))}`]),
  ]
}

function seenLines({ explanation }: RuleExplanation, page: Page): readonly string[] {
  return (explanation?.seen ?? []).flatMap((seen) => [
    ...prose(`${seen.in}: ${seen.fault}`, page),
    address(seen.source, page),
  ])
}

function fixLines({ mending, explanation }: RuleExplanation, page: Page): readonly string[] {
  if (mending === undefined) return []
  const note = explanation?.note === undefined ? [] : prose(explanation.note, page)
  // A terminal's tab stops are wide.
  const codeLine = (line: string): string => (line === '' ? '' : `    ${line.replaceAll('\t', '  ')}`)
  return [
    ...part(`How to fix it: ${mending.title}`, [...prose(mending.advice, page), ...note], page),
    ...STACKS.flatMap(({ key, name }) => [
      '',
      `  ${page.colors.bold(name)}`,
      ...mending.code[key].trimEnd().split('\n').map(codeLine),
    ]),
  ]
}

/** Mutants of a profile are run by `prove` alone. */
function tryOne(rule: string, mutant: string): string {
  const profile = namespaceOf(rule)
  return profile === undefined
    ? `token-assay serve --mutant ${mutant}`
    : `token-assay prove --profile ${profile} --mutant ${mutant}`
}
