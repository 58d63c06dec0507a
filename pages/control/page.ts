import { createGuard, type Guard, type GuardAnswer, type GuardedRequest } from '../guard/guard.js'
import { pageHeaders } from '../guard/page-headers.js'
import { MARKUP, SCRIPT, STYLE } from './generated/browser.js'

/** The page of a control plane: a person's way to the same methods, with the same secret. */
export interface ControlPage {
  /** The page itself, the form that asks for the secret, or a refusal. */
  readonly home: (request: GuardedRequest) => GuardAnswer
  /** Whether a request comes from the page, opened with the secret. */
  readonly isOpenedBy: (request: GuardedRequest) => boolean
}

/** @param home its path */
export function createControlPage(port: number, secret: string, home: string): ControlPage {
  const guard: Guard = createGuard({
    port,
    key: secret,
    home,
    remedy: `Open ${home} of this port, and enter the secret of the control plane,`,
  })
  const page: GuardAnswer = {
    status: 200,
    headers: pageHeaders({ style: STYLE, script: SCRIPT }),
    body: documentOf('Reference server', `${MARKUP}<script>${SCRIPT}</script>`),
  }
  return {
    home(request) {
      const refused = guard.admit(request)
      if (refused === undefined) return page
      return asksForSecret(request, port, home) ? secretForm(home) : refused
    },
    isOpenedBy: (request) => guard.admit(request) === undefined,
  }
}

/** A browser of this machine that has not opened the page yet, and gave no secret. */
function asksForSecret({ target, headers }: GuardedRequest, port: number, home: string): boolean {
  const hosts = ['127.0.0.1', 'localhost', '[::1]'].map((host) => `${host}:${port}`)
  return target === home && headers.origin === undefined && hosts.includes(String(headers.host).toLowerCase())
}

function secretForm(home: string): GuardAnswer {
  const headers = pageHeaders({ style: STYLE })
  const policy = String(headers['Content-Security-Policy']).replace(
    "form-action 'none'",
    "form-action 'self'",
  )
  const content = `<main class="secret"><h1>Reference server</h1>
<form method="get" action="${home}"><p><label>Secret of the control plane
<input type="password" name="key" required autocomplete="off"></label></p>
<p><button>Open</button></p></form></main>`
  return {
    status: 200,
    headers: { ...headers, 'Content-Security-Policy': policy },
    body: documentOf('Reference server', content),
  }
}

function documentOf(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Token Assay</title>
<style>${STYLE}</style>
</head>
<body>
${content}
</body>
</html>
`
}
