/** A text as a template holds it, where a dollar sign begins a reference and two are one. */
export function literal(text: string): string {
  return text.replaceAll('$', () => '$$')
}

/** Whether a template has a `$name` in it. */
export function hasReference(template: string): boolean {
  return /\$[A-Za-z]/.test(template.replaceAll('$$', ''))
}
