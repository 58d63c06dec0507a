/** The script of the page that is shown until the browser has the cookie: it gets it for the key, and opens the page again. */
import { ask, forgetKey, takeKeyFromAddress, whenKeyed } from './key.js'

/** That the cookie was set, and yet did not come: without this the page would be opened again and again. */
const TRIED = `token-assay entered ${location.pathname}`

async function enter(): Promise<void> {
  const home = `/${location.pathname.split('/')[1]}/`
  const { ok } = await ask(`${home}enter`, { method: 'POST' })
  if (!ok) return forgetKey()
  sessionStorage.setItem(TRIED, 'yes')
  location.reload()
}

takeKeyFromAddress()
if (sessionStorage.getItem(TRIED) === null) whenKeyed(() => void enter())
sessionStorage.removeItem(TRIED)
