/** A rule that someone else's server breaks, according to `docs/interop.md`. */
export interface InteropFault {
  readonly rule: string
  readonly in: string
  readonly fault: string
}

/** The broken rules of the page, in its order. */
export function faultsOf(page: string): readonly InteropFault[] {
  return page.split(/^## /m).flatMap((section) => {
    const server = section.split('\n', 1)[0] ?? ''
    const broken = section.matchAll(BROKEN)
    return Array.from(broken, ([, rule = '', , fault = '']) => ({ rule, in: server, fault: capital(fault) }))
  })
}

/** The rows of the table whose first column has this title, as texts; none where there is no such table. */
export function tableOf(page: string, title: string): readonly (readonly string[])[] {
  const lines = page.split('\n')
  const begin = lines.findIndex((line) => line.startsWith(`| ${title}${title && ' '}|`))
  if (begin < 0) return []
  const end = lines.findIndex((line, index) => index > begin && !line.startsWith('|'))
  return lines.slice(begin + 2, end < 0 ? undefined : end).map((line) => line.slice(2, -2).split(' | '))
}

/** A rule, its case with values that may hold anything, and the fault. The explanation after it begins with a capital. */
const BROKEN =
  /^- \*\*([\w.-]+)\*\*(?:, a warning)? \(`[^`]+`(?:, \w+ (`+).*?\2(?!`))*\): (.*; expected .*, actual (`+).*?\4(?!`)\.)/gm

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
