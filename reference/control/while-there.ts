import type { Store } from './server-control.js'

/**
 * The store of a scope, for as long as there is the scope: then every method tells that there is none, as it does from
 * outside.
 * @param check throws once it is gone
 */
export function whileThere(store: Store, check: () => void): Store {
  // What promises an answer must not throw at once.
  const promising = new Set<unknown>([store.accounts.add, store.journal.waitFor])
  const guard = <T extends object>(methods: T): T =>
    new Proxy(methods, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        if (typeof member === 'object' && member !== null) return guard(member)
        if (typeof member !== 'function') return member
        return (...given: readonly unknown[]): unknown => {
          try {
            check()
          } catch (error) {
            if (promising.has(member)) return Promise.reject(error)
            throw error
          }
          return Reflect.apply(member, target, given)
        }
      },
    })
  return guard(store)
}
