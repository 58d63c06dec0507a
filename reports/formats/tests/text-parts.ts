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

/** Names the variables of one file of tests: each label is one, and the main account's password has the usual name. */
export class TestVariables {
  readonly #names = new Map<string, string>()
  readonly #mainAccount: string

  constructor(mainAccount: string) {
    this.#mainAccount = mainAccount
  }

  /** The variables that were asked for, with what each holds. */
  get all(): readonly (readonly [name: string, content: string])[] {
    return [...this.#names].map(([label, name]) => [name, label.slice(1, -1)])
  }

  /** A text of a report in pieces: a label of it is a secret that the report does not hold. @param header whose value it is */
  parts(text: string, encoding: Encoding, header?: string): readonly TextPart[] {
    return text.split(LABEL).flatMap((part): readonly TextPart[] => {
      if (part === '') return []
      if (!LABEL.test(part)) return [{ text: part }]
      if (part === '‹run›') return [{ run: 'lower' }]
      if (part === '‹run in upper case›') return [{ run: 'upper' }]
      const times = PADDING.exec(part)?.[1]
      if (times !== undefined) return [{ repeat: 'x', times: Number(times) }]
      // Two headers of which a report shows nothing have different values.
      const label = part === HIDDEN && header !== undefined ? `‹whole value of ${header}›` : part
      return [{ variable: this.#variable(label), content: label.slice(1, -1), encoding }]
    })
  }

  #variable(label: string): string {
    const known = this.#names.get(label)
    if (known !== undefined) return known
    const wanted = this.#wanted(label)
    const taken = new Set(this.#names.values())
    let name = wanted
    for (let at = 2; taken.has(name); at++) name = `${wanted}_${at}`
    this.#names.set(label, name)
    return name
  }

  #wanted(label: string): string {
    const own = FROM_ENVIRONMENT.exec(label)?.[1]
    if (own !== undefined) return own
    const [, user] = PASSWORD_OF.exec(label) ?? []
    if (user === this.#mainAccount) return 'TOKEN_ASSAY_PASSWORD'
    const [, header] = VALUE_OF.exec(label) ?? []
    const word = (header ?? label)
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 60)
    return `TOKEN_ASSAY_${word === '' ? 'VALUE' : word}`
  }
}
