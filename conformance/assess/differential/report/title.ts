import type { Probe } from '../../../drivers/pair/probe.js'
import type { Part } from '../compare/parts.js'
import type { Fate } from '../compare/view.js'
import { describeProbe } from './describe-request.js'

const DOES: Readonly<Record<Fate, string>> = {
  granted: 'grants a token',
  registered: 'registers the account',
  done: 'answers without an error',
  refused: 'refuses',
}

/** A finding in one sentence: what the new service does that the old one did not. */
export function titleOf({ about, differences }: Part, probe: Probe, step: number): string {
  const request = describeProbe(probe, step)
  const [first] = differences
  const { old = '', new: now = '', at = '' } = first ?? {}
  switch (about) {
    case 'fate': {
      const status = differences.find((one) => one.at === 'status')
      const [oldStatus, newStatus] = [status?.old, status?.new].map((text) =>
        text === undefined ? '' : ` (${text})`,
      )
      return `new ${doing(now)}${newStatus} where old ${doing(old)}${oldStatus}: ${request}`
    }
    case 'refusal': {
      const status = differences.find((one) => one.at === 'status')
      if (status !== undefined) return `new refuses with ${status.new}, old with ${status.old}: ${request}`
      return `new refuses in other words: ${namesOf(differences)}: ${request}`
    }
    case 'status':
      return `new answers ${now}, old ${old}: ${request}`
    case 'media type':
      return `new answers with \`Content-Type: ${now}\`, old with \`${old}\``
    case 'headers':
      return `new answers with other headers: ${differences.map((one) => `${one.at.replace('header ', '')} (${abbreviate(one.old)} → ${abbreviate(one.new)})`).join(', ')}`
    case 'JSON':
      return `the JSON of new is ${now}, of old ${old}`
    case 'members':
      return `the answer of new has other members: ${differences.map((one) => `${one.old} → ${one.new}`).join('; ')}`
    case 'order':
      return 'the members of the answer of new are in another order'
    case 'times':
      return `the answer of new has another time or lifetime: ${differences.map((one) => `\`${one.at}\` ${one.old} → ${one.new}`).join('; ')}`
    case 'body': {
      const words = differences.map((one) => `${one.at}: ${abbreviate(one.old)} → ${abbreviate(one.new)}`)
      return `new answers with another kind of body (${words.join('; ')}): ${request}`
    }
    case 'value':
      return at.startsWith('token ')
        ? `the tokens of new are others: ${differences.map((one) => `${one.at.replace('token ', '')}: ${one.new}, not ${one.old}`).join('; ')}`
        : `\`${at}\` of new is ${abbreviate(now)}, of old ${abbreviate(old)}`
  }
}

function doing(fate: string): string {
  return Object.hasOwn(DOES, fate) ? DOES[fate as Fate] : fate
}

function abbreviate(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`
}

function namesOf(differences: Part['differences']): string {
  return differences.map(({ at }) => `\`${at.trim()}\``).join(', ')
}
