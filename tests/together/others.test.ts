import { importOtherTests } from '../fixtures/import-tests.js'

importOtherTests(['conformance', 'cli', 'reference', 'tests'])
