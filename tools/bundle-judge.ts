import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/**
 * Bundles what a k6 script runs, with the judge of `run`, into one readable text that defines `tokenAssay`.
 * k6 has neither Node's modules nor its globals: a module that needs one fails here, or in the test of the export.
 */
export async function bundleJudge(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: ['conformance/assess/k6/iterate.ts'],
    absWorkingDir: fileURLToPath(new URL('..', import.meta.url)),
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'tokenAssay',
    platform: 'neutral',
    target: 'es2020',
    // k6 has had these for longer than the rest of ES2022. What they would be turned into is slower, and needs weak maps:
    // in k6 2.2 an object that is freed may leave its entry to the next one.
    supported: {
      'class-field': true,
      'class-private-field': true,
      'class-private-method': true,
      'class-static-field': true,
      'class-private-static-field': true,
    },
    charset: 'ascii',
    legalComments: 'none',
  })
  return outputFiles.map(({ text }) => text).join('')
}
