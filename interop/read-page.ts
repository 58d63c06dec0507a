/** A rule that a server of others breaks, as `docs/interop.md` says. */
export interface Fault {
  readonly rule: string
  /** The server and its version. */
  readonly in: string
  readonly fault: string
}

/** What the page lists as broken, in its order. */
export function faultsOf(page: string): readonly Fault[] {
  return page.split(/^## /m).flatMap((section) => {
    const server = section.split('\n', 1)[0] ?? ''
    const broken = section.matchAll(/^- \*\*([\w.-]+)\*\*: .*\n {2}Case `[^`]*`, [^:]*: (.*)$/gm)
    return Array.from(broken, ([, rule = '', fault = '']) => ({ rule, in: server, fault: capital(fault) }))
  })
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
