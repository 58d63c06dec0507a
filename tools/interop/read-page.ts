/** A rule that a server of others breaks, as `docs/interop.md` says. */
export interface Fault {
  readonly rule: string
  readonly in: string
  readonly fault: string
}

/** What the page lists as broken, in its order. */
export function faultsOf(page: string): readonly Fault[] {
  return page.split(/^## /m).flatMap((section) => {
    const server = section.split('\n', 1)[0] ?? ''
    const broken = section.matchAll(BROKEN)
    return Array.from(broken, ([, rule = '', fault = '']) => ({ rule, in: server, fault: capital(fault) }))
  })
}

/** A rule, its sentence, and below it the case, with values that may have colons, and what was wrong. */
const BROKEN = /^- \*\*([\w.-]+)\*\*(?:, a warning)?: .*\n {2}Case (?:`+.*?`+(?!`)|[^:`\n])*: (.*)$/gm

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
