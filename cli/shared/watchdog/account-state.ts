import type { AccountNews } from '../../../conformance/drivers/send/session/run-context.js'
import type { AccountCount, LeftAccount } from '../../../spec/model/report.js'

interface AccountsAt extends Pick<AccountNews, 'deployment' | 'baseUrl' | 'hasCleanUp'> {
  made: number
  readonly left: Map<string, LeftAccount>
}

/** The accounts of a command that are not known to be removed, by where they are. */
export class AccountState {
  readonly #places = new Map<string, AccountsAt>()

  add({ account, fate, ...at }: AccountNews): void {
    const key = JSON.stringify([at.deployment, at.baseUrl])
    const place = this.#places.get(key) ?? { ...at, made: 0, left: new Map() }
    this.#places.set(key, place)
    const name = JSON.stringify(account)
    if (fate === 'made') {
      place.made += 1
      place.left.set(name, account)
      return
    }
    place.left.delete(name)
    if (fate === 'unknown') place.made -= 1
  }

  clear(): void {
    this.#places.clear()
  }

  /** As a command that has ended by itself reports them. */
  counts(): readonly (AccountCount & Pick<AccountNews, 'baseUrl'>)[] {
    return [...this.#places.values()].map(({ deployment, baseUrl, hasCleanUp, made, left }) => ({
      deployment,
      baseUrl,
      made,
      removed: hasCleanUp ? made - left.size : 0,
      cleanUpFailed: hasCleanUp ? left.size : 0,
      ...(left.size === 0 ? {} : { left: [...left.values()] }),
    }))
  }
}
