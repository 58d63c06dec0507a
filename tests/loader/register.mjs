/**
 * Lets Node run the sources: `node --import ./tests/loader/register.mjs cli/main.ts`. What tsx does as well, at a third of
 * its time to start, since each file is compiled once and kept; the tests start some three hundred processes.
 */
import { register } from 'node:module'

process.setSourceMapsEnabled(true)
register('./hooks.mjs', import.meta.url)
