/** A text of the target file, with the environment variables in it unread: what a script takes when it runs. */
export type ScriptText = readonly (string | { readonly variable: string })[]

const VARIABLE = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)\}/

/** Reads `${NAME}` as a variable; `$${` is a literal `${`, as `substituteEnvironment` has it. */
export function readScriptText(text: string): ScriptText {
  const match = VARIABLE.exec(text)
  if (match === null) return text === '' ? [] : [text]
  const rest = readScriptText(text.slice(match.index + match[0].length))
  const before = text.slice(0, match.index)
  const [, variable] = match
  if (variable === undefined) return [`${before}\${`, ...rest]
  return before === '' ? [{ variable }, ...rest] : [before, { variable }, ...rest]
}

export function expressionOf(text: ScriptText): string {
  const parts = text.map((part) =>
    typeof part === 'string' ? literal(part) : `variable(${literal(part.variable)})`,
  )
  return parts.length === 0 ? '""' : parts.join(' + ')
}

/** JSON data as JavaScript in ASCII: nothing in it can be mistaken, hidden, end a line, or be an order to a CI service. */
export function literal(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[^\n -~]|#(?=#[a-z]*\[)/gi,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
