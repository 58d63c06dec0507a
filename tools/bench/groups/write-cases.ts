import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'

const STATEMENT = 'A grant is answered.'

const FORM = { grant_type: 'password', username: '$account.userName', password: '$account.password' }
const SENT = { send: { form: FORM } }

/** A file of cases may have 512 KiB. */
const CASES_OF_A_FILE = 500

export interface CasesOptions {
  readonly language?: 'json' | 'yaml'
  /** How many grants each case asks for, one after the other; the last is checked. Default 1. */
  readonly steps?: number
}

/** So many grants with three checks each as a file of cases; gives the folder. A refusal would bring its controls along. */
export function writeCases(
  work: string,
  count: number,
  { language = 'json', steps = 1 }: CasesOptions = {},
): string {
  const folder = join(work, `cases-${language}-${count}-${steps}`)
  mkdirSync(folder, { recursive: true })
  const rule = 'bench:suite-answer'
  const cases = Array.from({ length: count }, (_, at) => ({
    id: `bench:suite/case-${at}`,
    title: `grant ${at} is made`,
    ...(steps === 1 ? SENT : { steps: Array.from({ length: steps }, () => SENT) }),
    expect: [
      { rule, status: 200 },
      { rule, yieldsToken: true },
      { rule, member: { name: 'token_type', equals: 'bearer' } },
    ],
  }))
  const requirements = [{ id: rule, section: 'bench:suite', level: 'must', statement: STATEMENT }]
  for (let at = 0; at < count; at += CASES_OF_A_FILE) {
    const some = { section: 'bench:suite', cases: cases.slice(at, at + CASES_OF_A_FILE) }
    const file = at === 0 ? { ...some, requirements } : some
    writeFileSync(
      join(folder, `cases-${at}.${language}`),
      language === 'json' ? JSON.stringify(file) : stringify(file, { aliasDuplicateObjects: false }),
    )
  }
  return folder
}
