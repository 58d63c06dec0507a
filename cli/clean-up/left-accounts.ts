import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { shellText } from '../../conformance/evidence/reproduce.js'
import { count } from '../../reports/formats/shared/phrase.js'
import { readTextFile } from '../../spec/load/read-text-file.js'
import { AssayError } from '../../spec/model/assay-error.js'
import type { LeftAccount, Report } from '../../spec/model/report.js'
import { assertWritable, removeFile, renameFile, writeAtomic } from '../shared/files.js'
import { writeEach } from '../shared/outputs.js'
import { print } from '../shared/print.js'
import { tellWatchdog } from '../shared/watchdog/command-thread.js'
import type { NamesLeft } from '../shared/watchdog/messages.js'

export interface LeftAt {
  readonly deployment: string
  readonly baseUrl: string
  readonly accounts: readonly LeftAccount[]
}

/** What a run or a comparison says of its accounts at one deployment. */
export interface MadeAt {
  readonly deployment: string
  readonly baseUrl: string
  readonly removed: number
  readonly cleanUpFailed: number
  readonly left?: readonly LeftAccount[]
}

/** What a run says of its accounts, with where they are. */
export function accountsOf({ accounts, target }: Report): readonly MadeAt[] {
  const urls = new Map(target.deployments.map(({ name, baseUrl }) => [name, baseUrl]))
  return accounts.map((row) => ({ ...row, baseUrl: urls.get(row.deployment) ?? '' }))
}

/** Names the accounts of a run that stay in a file of its folder; those of runs before are kept: they are still there. */
export async function keepLeft(rows: readonly MadeAt[], { folder, flags, byUrl }: NamesLeft): Promise<void> {
  const file = join(folder, 'accounts-left.json')
  const added = rows.flatMap(({ deployment, baseUrl, left = [] }): readonly LeftAt[] =>
    left.length === 0 ? [] : [{ deployment, baseUrl, accounts: left }],
  )
  if (added.length === 0) return
  const isKept = await writeEach([
    () => {
      // Makes the folder.
      assertWritable([file])
      writeLeft(file, [...readBefore(file), ...added])
    },
  ])
  if (!isKept) return
  tellWatchdog({ kind: 'accounts-named' })
  const word = (text: string): string => ` ${shellText(text, new Map()).word}`
  const given = flags.map(word).join('')
  const isDeclared = rows.some(({ removed, cleanUpFailed }) => removed + cleanUpFailed > 0)
  const first = isDeclared ? '' : 'declare `cleanUp`, then '
  const all = { baseUrl: undefined, accounts: added.flatMap(({ accounts }) => accounts) }
  for (const { baseUrl, accounts } of byUrl ? added : [all])
    print(
      `${count(accounts.length, 'account')} left at ${baseUrl ?? 'the service'}: ${first}token-assay clean-up${word(file)}${baseUrl === undefined ? '' : word(baseUrl)}${given}`,
    )
}

/** A file that is no such list is put aside, which is said: the names in it may be nowhere else. */
function readBefore(file: string): readonly LeftAt[] {
  try {
    return readIfThere(file)
  } catch (error) {
    if (!(error instanceof AssayError)) throw error
    const aside = `${file}.unread-${Date.now()}`
    renameFile(file, aside)
    print(`${error.message}: it is kept as ${aside}`)
    return []
  }
}

function readIfThere(file: string): readonly LeftAt[] {
  return existsSync(file) ? readLeft(file) : []
}

/** Takes accounts off the list as it is by now: a run may have added others, and another call removed some. */
export function takeOff(file: string, removed: Omit<LeftAt, 'accounts'>, names: ReadonlySet<string>): void {
  const isThere = ({ deployment, baseUrl }: LeftAt): boolean =>
    deployment === removed.deployment && baseUrl === removed.baseUrl
  const left = readIfThere(file).map((row) =>
    isThere(row) ? { ...row, accounts: row.accounts.filter(({ userName }) => !names.has(userName)) } : row,
  )
  writeLeft(file, left)
}

/** Where none stays, there is no file. */
function writeLeft(file: string, left: readonly LeftAt[]): void {
  const some = left.filter(({ accounts }) => accounts.length > 0)
  if (some.length === 0) removeFile(file)
  else writeAtomic(file, `${JSON.stringify(some, undefined, 2)}\n`)
}

/** @throws AssayError `missing-file`, `malformed-file` */
export function readLeft(file: string): readonly LeftAt[] {
  const what = 'the accounts-left.json of a run'
  const text = readTextFile(file, what, { kib: 64 * 1024, code: 'malformed-file' })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new AssayError('malformed-file', `${file} is not JSON: expected ${what}`, { cause })
  }
  if (Array.isArray(value) && value.every(isLeftAt)) return value
  throw new AssayError(
    'malformed-file',
    `${file} does not list accounts by deployment: expected ${what}, unchanged`,
  )
}

function isLeftAt(value: unknown): value is LeftAt {
  const { deployment, baseUrl, accounts } = membersOf(value)
  return (
    typeof deployment === 'string' &&
    typeof baseUrl === 'string' &&
    Array.isArray(accounts) &&
    accounts.every((account) => {
      const { userName, email, password = '' } = membersOf(account)
      return [userName, email, password].every((text) => typeof text === 'string')
    })
  )
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
