/**
 * The texts of the objects at the top of a stream, whether they are in a list or in lines. Their own syntax is not looked at
 * but for strings and brackets.
 * @throws Error for one that is longer, for what is none, and for a list that does not end
 */
export async function* jsonObjects(chunks: AsyncIterable<string>, maxLength: number): AsyncGenerator<string> {
  let text = ''
  let depth = 0
  let isString = false
  let isEscaped = false
  // Of what is outside of objects.
  let [first, last] = ['', '']
  for await (const chunk of chunks) {
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      const char = chunk[at] ?? ''
      if (depth === 0 && char.trim() !== '') {
        if (!(char === '[' ? first === '' : '{,]'.includes(char))) throw new Error('an item is no object')
        first ||= char
        last = char
      }
      if (isString) {
        if (isEscaped) isEscaped = false
        else if (char === '\\') isEscaped = true
        else if (char === '"') isString = false
      } else if (char === '"') isString = true
      else if (char === '{') {
        if (depth === 0) from = at
        depth += 1
      } else if (char === '}' && depth > 0) {
        depth -= 1
        if (depth > 0) continue
        yield text + chunk.slice(from, at + 1)
        text = ''
      }
    }
    if (depth > 0) text += chunk.slice(from)
    if (text.length > maxLength) throw new Error('an object is too long')
  }
  if (depth > 0) throw new Error('the last object has no end')
  if (first === '[' && last !== ']') throw new Error('the list has no end')
}
