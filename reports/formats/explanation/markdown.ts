import { markdownCode, markdownProse } from '../markdown/escape.js'
import { judgeAlone, leftOutAlone, type RuleExplanation, STACKS, unjudged } from './explanation.js'

/** The explanation as a page of the site, whose generator makes tabs of a group of code. */
export function renderExplanationPage({
  rule,
  cases,
  mutants,
  explanation,
  mending,
}: RuleExplanation): string {
  const why = unjudged(rule)
  const part = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : [`## ${title}`, '', ...lines, '']
  return [
    '---',
    'editLink: false',
    `title: ${JSON.stringify(rule.id)}`,
    '---',
    '',
    `# ${rule.id}`,
    '',
    `> ${markdownProse(rule.statement)}`,
    '',
    `Section ${rule.section}, ${rule.level}.${why === undefined ? '' : ` ${markdownProse(why)}`}`,
    '',
    ...(rule.source === undefined
      ? []
      : [`“${markdownProse(rule.source.says)}” ${link(rule.source.at)}`, '']),
    ...part('Why it matters to a shipped client', explanation ? [markdownProse(explanation.why)] : []),
    ...(mending === undefined
      ? []
      : [
          `## How to fix it: ${mending.title}`,
          '',
          markdownProse(mending.advice),
          '',
          ...(explanation?.note === undefined ? [] : [markdownProse(explanation.note), '']),
          '::: code-group',
          '',
          ...STACKS.flatMap(({ key, name, language }) => [
            `\`\`\`${language} [${name}]`,
            mending.code[key].trimEnd(),
            '```',
            '',
          ]),
          ':::',
          '',
        ]),
    ...part(
      'Seen elsewhere',
      (explanation?.seen ?? []).map(
        (seen) => `- **${markdownProse(seen.in)}**: ${markdownProse(seen.fault)} ${link(seen.source)}`,
      ),
    ),
    ...part('What judges it', [
      ...cases.map(({ id, title }) => `- ${markdownCode(id)}: ${markdownProse(title)}`),
      ...(why === undefined ? ['', '```sh', judgeAlone(rule), '```', leftOutAlone(cases) ?? ''] : []),
    ]),
    ...part('Servers that break it on purpose', [
      ...mutants.map(({ id, description }) => `- ${markdownCode(id)}: ${markdownProse(description)}`),
    ]),
  ].join('\n')
}

/** The documentation is beside the folder of the rules. */
function link(address: string): string {
  return address.startsWith('docs/') ? `([${address}](../${address}))` : `([source](${address}))`
}
