import { type GuardedRequest, namesThisHost } from '../guard/own-page.js'
import { type GuardAnswer, pageHeaders, refusal } from '../guard/page-headers.js'
import { MARKUP, SCRIPT, STYLE } from './generated/browser.js'

/**
 * The page of a control plane: a person's way to the same methods, with the same secret. It shows nothing by itself: its
 * script asks for the secret, gets a key for it, and asks for the rest.
 */
export function controlPage(request: Pick<GuardedRequest, 'headers'>, port: number): GuardAnswer {
  return namesThisHost(request, port)
    ? PAGE
    : refusal('This page is served only at the loopback address of this machine.')
}

const PAGE: GuardAnswer = {
  status: 200,
  headers: pageHeaders({ style: STYLE, script: SCRIPT }),
  body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Reference server · Token Assay</title>
<style>${STYLE}</style>
</head>
<body>
${MARKUP}<script>${SCRIPT}</script>
</body>
</html>
`,
}
