/**
 * Text that came from a target is hostile: it may move the cursor, reorder what is read, hide itself, or give
 * commands to the CI service that reads the log. Everything printed goes through here.
 */

// Controls, format characters (bidi, zero-width, U+FEFF, tags), lone surrogates, private and unassigned code points,
// line separators, whatever is ignored by default, and every space that is not the space but looks like it.
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u
const MARK = /\p{M}/gu
// What is tried against the table of Unicode: next to nothing of most texts.
const UNUSUAL = /[^ -~]/gu
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

// GitHub reads `::` after leading blanks; it and Azure read `##[` and `##vso[` anywhere, TeamCity `##teamcity[`.
const WORKFLOW_COMMAND = /^((?:\s|\u001b\[[\d;]*m)*):(?=:)/
const LOGGING_COMMAND = /#(?=#[a-z]*\[)/gi

/** `\u001b` for ESC, `\u{e0041}` beyond the basic plane: how JavaScript spells a code point. */
export function codePointEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const hex = code.toString(16)
  return code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`
}

/**
 * The text on one line with every character visible, and no `##[` in it. `::` may still begin it: use it inside a
 * line of our own that is defused as a whole.
 */
export function visible(text: string): string {
  return text
    .replace(UNUSUAL, (character) =>
      HIDDEN.test(character) ? (SHORT[character] ?? codePointEscape(character)) : character,
    )
    .replace(LOGGING_COMMAND, '\\u0023')
}

/** As `visible`, and combining marks too: for two texts that would look the same. */
export function visibleMarks(text: string): string {
  return visible(text).replace(MARK, codePointEscape)
}

/**
 * One line that no CI service takes for a command: the first character of `::` at the beginning, and of `##[`
 * anywhere, is spelled as its escape (`\u003a:`, `\u0023#[`), which keeps the text readable.
 */
export function defuseLine(line: string): string {
  return line.replace(WORKFLOW_COMMAND, '$1\\u003a').replace(LOGGING_COMMAND, '\\u0023')
}

/** The text on one line, every character visible, and no CI command even where it begins the line. */
export function escapeForTerminal(text: string): string {
  return defuseLine(visible(text))
}

// What is hidden, but for the codes by which we colour ourselves.
const UNUSUAL_OR_COLOR = /(\u001b\[\d{1,2}m)|[^ -~]/gu

/**
 * The lines that a terminal or a log gets. The last that happens to every text which is printed: whatever a renderer has
 * overlooked, each is one line, every character is visible, and no CI service takes it for a command.
 * @param color whether colours of our own are among them
 */
export function printedLines(lines: readonly string[], color = false): string {
  const printed = lines.map((line) =>
    defuseLine(
      line.replace(UNUSUAL_OR_COLOR, (character, own: string | undefined) =>
        color && own !== undefined ? own : visible(character),
      ),
    ),
  )
  return `${printed.join('\n')}\n`
}

/**
 * The fragment that leads to a rule, a result or another thing of a report: readable, and free of everything that a URL or an attribute would
 * read otherwise. `~` begins an escape and is escaped itself, so two ids never share a fragment.
 */
export function anchor(kind: 'rule' | 'result' | 'case' | 'deployment', id: string): string {
  const safe = id.replace(
    /[^A-Za-z0-9._/-]/g,
    (unit) => `~${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `${kind}/${safe}`
}

const SPECIAL: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

// `>` too, which takes care of `]]>`.
const escapeMarkup = (text: string) => text.replace(/[&<>"]/g, (character) => SPECIAL[character] ?? character)

/** Text between tags. Characters that XML 1.0 forbids, and those that hide, become visible escapes; lines stay lines. */
export function xmlText(text: string): string {
  return text
    .split('\n')
    .map((line) => escapeMarkup(defuseLine(visible(line))))
    .join('\n')
}

/** The value of an attribute in double quotes, on one line. */
export function xmlAttribute(text: string): string {
  return escapeMarkup(defuseLine(visible(text)))
}
