import { HIDDEN } from '../../../spec/model/hidden-value.js'

/** How a value is spelled where it is put: in a form, inside a string of JSON, or as it is. */
export type Encoding = 'form' | 'json' | 'raw'

/** A piece of what a test sends: text as it is, or what an environment variable, or the run of the test, gives. */
export type TextPart =
  | { readonly text: string }
  | { readonly variable: string; readonly content: string; readonly encoding: Encoding }
  /** Letters and digits that differ in each run, so that new accounts are new. */
  | { readonly run: 'lower' | 'upper' }
  | { readonly repeat: string; readonly times: number }

/** What stands for a value in a report. */
export const LABEL = /(‹[^‹›]*›)/
const FROM_ENVIRONMENT = /^‹([A-Za-z_]\w*) from the environment›$/
const VALUE_OF = /^‹(?:whole )?value of ([\w-]+)›$/
const PADDING = /^‹(\d+) × x›$/
const PASSWORD_OF = /^‹password of (.*)›$/
/** The usual name. */
const PASSWORD = 'TOKEN_ASSAY_PASSWORD'
/** What stands for a value that no one declared. */
const UNKNOWN = /^‹(?:password|user name|redacted)›$/

/** What someone who runs the tests can find: the rest came in an answer of the run, as the code of a provider did. */
const FINDABLE = [FROM_ENVIRONMENT, VALUE_OF, PADDING, PASSWORD_OF, /^‹run(?: in upper case)?›$/]

/** Whether a text of a report has a value that no variable can hold. */
export function hasLostValue(text: string): boolean {
  return text.split(LABEL).some((part) => LABEL.test(part) && !FINDABLE.some((label) => label.test(part)))
}

/** Where a text is. */
export interface TextPlace {
  /** Whose value it is. */
  readonly header?: string
  /** Of several services, which may have secrets of their own. */
  readonly service?: string
  /** The test, in words: what no one declared, as in a recorded request, has the same label whatever it is. */
  readonly test?: string
}

/**
 * Names the variables of one file of tests: each label is one, and the main account's password has the usual name. What no one
 * declared is one wherever it comes.
 */
export class TestVariables {
  readonly #variables = new Map<string, Readonly<Record<'name' | 'content', string>>>()
  readonly #mainAccount: string

  constructor(mainAccount: string) {
    this.#mainAccount = mainAccount
  }

  /** The variables that were asked for, with what each holds. */
  get all(): readonly (readonly [name: string, content: string])[] {
    return [...this.#variables.values()].map(({ name, content }) => [name, content])
  }

  /** A text of a report in pieces: a label of it is a secret that the report does not hold. */
  parts(text: string, encoding: Encoding, place: TextPlace = {}): readonly TextPart[] {
    const { header, service = '', test } = place
    return text.split(LABEL).flatMap((part): readonly TextPart[] => {
      if (part === '') return []
      if (!LABEL.test(part)) return [{ text: part }]
      if (part === '‹run›') return [{ run: 'lower' }]
      if (part === '‹run in upper case›') return [{ run: 'upper' }]
      const times = PADDING.exec(part)?.[1]
      if (times !== undefined) return [{ repeat: 'x', times: Number(times) }]
      // Two headers of which a report shows nothing have different values.
      const label = part === HIDDEN && header !== undefined ? `‹whole value of ${header}›` : part
      const { name, content } = this.#variable(label, service, UNKNOWN.test(label) ? test : undefined)
      return [{ variable: name, content, encoding }]
    })
  }

  #variable(label: string, service: string, test: string | undefined) {
    const own = FROM_ENVIRONMENT.exec(label)?.[1]
    const key = own ?? `${label}${service}${test === undefined ? '' : this.#variables.size}`
    const known = this.#variables.get(key)
    if (known !== undefined) return known
    const wanted = own ?? `${this.#wanted(label)}${service === '' ? '' : `_${wordOf(service)}`}`
    const isOfMain = PASSWORD_OF.exec(label)?.[1] === this.#mainAccount
    const taken = new Set([...this.all.map(([name]) => name), ...(isOfMain ? [] : [PASSWORD])])
    let name = wanted
    for (let at = 2; taken.has(name); at++) name = `${wanted}_${at}`
    const content = [
      label.slice(1, -1),
      ...(own === undefined && service !== '' ? [`at ${service}`] : []),
      ...(test === undefined ? [] : [`in ${test}`]),
    ].join(' ')
    this.#variables.set(key, { name, content })
    return { name, content }
  }

  #wanted(label: string): string {
    const [, user] = PASSWORD_OF.exec(label) ?? []
    if (user === this.#mainAccount) return PASSWORD
    const [, header] = VALUE_OF.exec(label) ?? []
    const word = wordOf(header ?? label)
    return `TOKEN_ASSAY_${word === '' ? 'VALUE' : word}`
  }
}

/** For the name of a variable. */
function wordOf(text: string): string {
  return text
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .slice(0, 60)
}
