/** The one file of undici that is needed: `docs/decisions.md` says why. */
declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici'
  export default Client
}
