import type { Behaviour } from '../../reference/behaviour.js'

/** The decisions that are made otherwise. */
export type Override = Partial<Behaviour>

/** A function of its own for each server, where it counts, remembers or waits. */
export type Overriding = Override | (() => Override)

type Row<Change, Details> = Change | (Details & { readonly behaviour: Change })

/** By `id: what it does`, what makes the override, or that and more. */
export type Rows<Change, Details> = Readonly<Record<`${string}: ${string}`, Row<Change, Details>>>

/** The servers of a table. @param override makes the override of what a row holds */
export function readRows<Change, Details>(
  rows: Rows<Change, Details>,
  override: (change: Change) => Overriding,
): readonly (Partial<Details> & NamedServer)[] {
  return Object.entries<Row<Change, Details>>(rows).map(([title, row]) => {
    const [id = '', description = ''] = title.split(/: (.*)/s)
    const { behaviour: change, ...own } = isWhole(row) ? row : { behaviour: row }
    const made = override(change)
    const behaviour = typeof made === 'function' ? made : () => ({ ...made })
    const server: NamedServer = { id, description, behaviour }
    // What else a row holds are its details.
    return { ...server, ...(own as Partial<Details>) }
  })
}

interface NamedServer {
  readonly id: string
  readonly description: string
  /** Fresh for each server. */
  readonly behaviour: () => Override
}

function isWhole<Change, Details>(
  row: Row<Change, Details>,
): row is Details & { readonly behaviour: Change } {
  return typeof row === 'object' && row !== null && 'behaviour' in row
}
