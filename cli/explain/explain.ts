import { EVERY_MUTANT } from '../../prove/profiles/index.js'
import { explainRules } from '../../reports/formats/explanation/explain-rules.js'
import { renderExplanationText } from '../../reports/formats/explanation/text.js'
import { loadShipped } from '../../spec/load/advice.js'
import { clientRules } from '../../spec/load/client-suite.js'
import { didYouMean } from '../../spec/load/nearest.js'
import { AssayError } from '../../spec/model/assay-error.js'
import { describeFlags, readArguments } from '../shared/arguments.js'
import type { Command } from '../shared/command.js'
import { CASES_FLAG, specificationWith } from '../shared/common-flags.js'
import { RENDER_FLAGS, useColor } from '../shared/outputs.js'
import { show, widthOf } from '../shared/print.js'

const FLAGS = {
  cases: CASES_FLAG,
  'no-color': RENDER_FLAGS['no-color'],
}

export const command: Command = {
  flags: FLAGS,
  words: async () => [...(await everyRule(undefined)).keys()],
  usage: `Usage: token-assay explain RULE

Explains a rule, such as 2.1-R2: what it says, why it matters to shipped clients, the
cases that judge it, servers that break it, and how to fix it in ASP.NET Core, Spring,
Express, Go, Flask, Django and PHP. For rules of profiles and clients, it prints what is
known.

${describeFlags(FLAGS)}
`,
  execute: async (argv) => {
    const args = readArguments(argv, FLAGS)
    const [id, ...others] = args.positionals
    if (id === undefined || others.length > 0)
      throw new AssayError(
        'usage',
        `explain takes one rule, found ${args.positionals.length}: \`token-assay list rules\` lists them`,
      )
    const rules = await everyRule(args.one('cases'))
    const found = rules.get(id)
    if (found === undefined) {
      const hint = didYouMean(id, [...rules.keys()], '`token-assay list rules` lists them')
      throw new AssayError('usage', `there is no rule \`${id}\`: ${hint}`)
    }
    const color = useColor(args)
    show(renderExplanationText(found, { color, width: widthOf('stdout') ?? 100 }), 'stdout', color)
    return 0
  },
}

/** Each rule by its id, those of profiles and clients too. @param folder of the user's own cases */
async function everyRule(folder: string | undefined) {
  const profiles = Object.keys(loadShipped().profiles)
  const { requirements, cases } = await specificationWith(folder, { profiles })
  return explainRules({ rules: [...requirements, ...clientRules()], cases, mutants: EVERY_MUTANT })
}
