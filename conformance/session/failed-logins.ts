/**
 * How many failed logins a deployment may still see. A service may lock accounts out: at most so many in all, and at
 * most three in a row before a good one.
 */
export class FailedLogins {
  #left: number
  #inARow = 0

  constructor(most: number) {
    this.#left = most
  }

  get left(): number {
    return this.#left
  }

  get needsGoodLogin(): boolean {
    return this.#inARow >= MOST_IN_A_ROW
  }

  failed(times: number): void {
    this.#left -= times
    this.#inARow += times
  }

  succeeded(): void {
    this.#inARow = 0
  }
}

const MOST_IN_A_ROW = 3
