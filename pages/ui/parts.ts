import type { Html } from '../../reports/formats/html/markup.js'
import type { Feed } from '../guard/feed.js'

/** The parts of the views, as all open pages show them. */
export interface ShownParts {
  /** Shows a part. What did not change is left alone: a button that is replaced while it is pressed does nothing. */
  show(part: string, content: Html | undefined): void
  /** Has these parts shown again, whatever a page made of them since. */
  forget(parts: RegExp): void
}

export function createParts(feed: Feed): ShownParts {
  const shown = new Map<string, string>()
  return {
    show(part, content) {
      const markup = content?.markup ?? ''
      if (shown.get(part) === markup) return
      shown.set(part, markup)
      feed.publish(part, markup)
    },
    forget(parts) {
      for (const part of [...shown.keys()]) if (parts.test(part)) shown.delete(part)
    },
  }
}
