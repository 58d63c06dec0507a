/** Usual texts in place of an unusual one: of the usual ones, those before it. */
export function smallerText(text: string | undefined, usual: readonly string[]): readonly string[] {
  if (text === undefined) return []
  const at = usual.indexOf(text)
  return at < 0 ? usual : usual.slice(0, at)
}

/** More usual values of the same kind, then shorter ones. The kind is how it relates to the plain value. */
export function smallerValues(value: string, plain: string): readonly string[] {
  if (value === plain || value === '') return []
  const usual = ['x', ...relatedValues(value, plain), ...longValue(value, plain)]
  const at = usual.indexOf(value)
  if (at >= 0) return usual.slice(0, at)
  return [...usual, ...shorter(value, plain)]
}

function relatedValues(value: string, plain: string): readonly string[] {
  const place = value.indexOf(plain)
  if (place >= 0) {
    const [before, after] = [value.slice(0, place), value.slice(place + plain.length)]
    return [
      ...(after === '' ? [] : [`${plain}!`]),
      ...(before === '' ? [] : [`x${plain}`]),
      ...(/^\s/.test(after) || /\s$/.test(before) ? [` ${plain} `] : []),
      ...(/^\s/.test(after) ? [`${plain} `] : []),
      ...(/\s$/.test(before) ? [` ${plain}`] : []),
    ]
  }
  const isText = !plain.includes('$') && !value.includes('$')
  if (!isText) return []
  if (value.toLowerCase() === plain.toLowerCase()) return [plain.toUpperCase()]
  const chars = [...value]
  if (chars.length === [...plain].length && chars.filter((char, at) => char !== [...plain][at]).length === 1)
    return [`x${plain.slice(1)}`]
  if (plain.startsWith(value)) return [plain.slice(0, -1)]
  return []
}

const LONG = 40

/** Of a long text only the length may count. */
function longValue(value: string, plain: string): readonly string[] {
  const isLong = value.length > LONG && !value.includes('$')
  return isLong ? [`${'xy'.repeat(Math.ceil(value.length / 2))}${plain}`] : []
}

/** Without halves and single characters, or with an `x` in the place of each. References stay whole. */
function shorter(value: string, plain: string): readonly string[] {
  const pieces = piecesOf(value)
  const { length } = pieces
  if (length < 2) return []
  const half = Math.ceil(length / 2)
  const cut = [pieces.slice(0, half), pieces.slice(half)]
  const some = Array.from({ length: Math.min(length, 24) }, (_, at) => at)
  const dropped = some.map((at) => pieces.filter((_, other) => other !== at))
  const plainer = some
    .filter((at) => pieces[at] !== 'x' && !pieces[at]?.startsWith('$'))
    .map((at) => pieces.map((part, other) => (other === at ? 'x' : part)))
  return [...cut, ...dropped, ...plainer]
    .filter((each) => piecesOf(each.join('')).length === each.length)
    .map((each) => each.join(''))
    .filter((text) => text !== plain && text !== '')
}

/** Characters and references. A letter after a reference would be a part of its name. */
function piecesOf(value: string): readonly string[] {
  return value.match(/\$\$|\$[A-Za-z]\w*(?:\.\w+)*|[^$]/gu) ?? []
}
