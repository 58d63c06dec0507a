const token = "[!#$%&'*+.^_`|~\\w-]+"
const quoted = '"(?:[\\t !#-[\\]-~\\x80-\\xff]|\\\\[\\t -~])*"'
const parameter = `[ \\t]*;[ \\t]*(?:(?<name>${token})=(?<value>${token}|${quoted}))?`
const whole = new RegExp(`^[ \\t]*(${token}/${token})((?:${parameter.replace(/\?<\w+>/g, '?:')})*)[ \\t]*$`)

/** Whether there is one `Content-Type`, of this type, and not in another charset than UTF-8 (RFC 9110 8.3.1). */
export function isMediaType(contentTypes: readonly string[], type: string): boolean {
  const [only = '', ...more] = contentTypes
  const [, essence, parameters = ''] = whole.exec(only) ?? []
  if (more.length > 0 || essence?.toLowerCase() !== type) return false
  for (const { groups } of parameters.matchAll(new RegExp(parameter, 'g'))) {
    const { name = '', value = '' } = groups ?? {}
    const text = value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value
    if (name.toLowerCase() === 'charset' && text.toLowerCase() !== 'utf-8') return false
  }
  return true
}
