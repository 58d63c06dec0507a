/**
 * The known name that was most likely meant, or undefined where none is near.
 * Near is at most a third of the letters (and always one) added, dropped, changed or swapped with a neighbour;
 * letter case, `-` and `_` are free. Ties go to the first name.
 */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: { readonly name: string; readonly distance: number } | undefined
  for (const candidate of known) {
    const distance = editDistance(plain(name), plain(candidate))
    const allowed = Math.max(1, Math.floor(Math.max(name.length, candidate.length) / 3))
    if (distance <= allowed && (best === undefined || distance < best.distance))
      best = { name: candidate, distance }
  }
  return best?.name
}

/** What helps after "there is no X `name`: ": the name that is near, or else the names that there are. */
export function didYouMean(
  name: string,
  known: readonly string[],
  otherwise = `there are ${known.join(', ')}`,
): string {
  const near = nearest(name, known)
  return near === undefined ? otherwise : `did you mean \`${near}\`?`
}

/** `; did you mean "x"?`, or nothing. */
export function suggestion(name: string, known: Iterable<string>): string {
  const near = nearest(name, known)
  return near === undefined ? '' : `; did you mean "${near}"?`
}

// A name from outside may be of any length; nothing near is longer than this, and the distance takes a quadratic time.
const longest = 100

function plain(name: string): string {
  return name.slice(0, longest).toLowerCase().replaceAll(/[-_]/g, '')
}

/** Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  let beforeLast: readonly number[] = []
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const substitution = at(last, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1)
      let distance = Math.min(at(last, column) + 1, at(current, column - 1) + 1, substitution)
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        distance = Math.min(distance, at(beforeLast, column - 2) + 1)
      current.push(distance)
    }
    beforeLast = last
    last = current
  }
  return at(last, b.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
