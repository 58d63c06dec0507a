import type { HeaderList } from '../../spec/types.js'
import type { Account } from '../deployment.js'
import { accountBinding } from '../generators/accounts.js'

/** A text with labels in place of its secrets, for a POSIX shell. */
export interface ShellText {
  /** As one word. */
  readonly word: string
  /** As a command that prints it, without a control character in it. */
  readonly printf: string
}

const LABEL = /(‹[^‹›]*›)/
const FROM_ENVIRONMENT = /^‹([A-Za-z_]\w*) from the environment›$/

/** The environment variables that stand for a deployment's secrets, by the labels that are shown in their place. */
export function secretVariables(
  accounts: readonly [Account, ...Account[]],
  headers: HeaderList,
): ReadonlyMap<string, string> {
  const passwords = accounts.map((account) => accountBinding(account, { deployment: { accounts } }).password)
  return new Map([
    ...passwords.map(({ shown, variable = '' }) => [shown, variable] as const),
    ...headers.map(
      ([name]) => [`‹value of ${name}›`, `TOKEN_ASSAY_${name.toUpperCase().replace(/\W/g, '_')}`] as const,
    ),
  ])
}

/** Takes what its labels stand for from the environment; any other label stays as it is shown. */
export function shellText(text: string, variables: ReadonlyMap<string, string>): ShellText {
  const parts = text.split(LABEL).flatMap((part) => {
    const variable = variables.get(part) ?? FROM_ENVIRONMENT.exec(part)?.[1]
    if (part === '') return []
    return [variable === undefined ? { text: part } : { variable }]
  })
  return {
    word:
      parts.map(({ text, variable }) => (text === undefined ? `"$${variable}"` : quote(text))).join('') ||
      "''",
    printf: [
      'printf',
      quote(parts.map(({ text }) => (text === undefined ? '%s' : forPrintf(text))).join('')),
      ...parts.flatMap(({ variable }) => (variable === undefined ? [] : [`"$${variable}"`])),
    ].join(' '),
  }
}

function forPrintf(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')
    .replace(/[\x00-\x1f\x7f]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`)
}

function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
