/** What a report shows in place of a value that nothing more is shown of. */
export const HIDDEN = '‹redacted›'
