<?php
require_once __DIR__ . '/TokenAssay.php';

/** A right service, which is the reference server here: put the base URL of your own in its place. */
final class ExampleTest extends PHPUnit\Framework\TestCase
{
    public static function cases(): array
    {
        $env = ['TOKEN_ASSAY_PASSWORD' => 'Correct-horse-1'];
        $wrong = getenv('EXAMPLE_MUTANT') ? ['--mutant', getenv('EXAMPLE_MUTANT')] : [];
        $url = TokenAssay::referenceServer(['--user-name', 'alice', '--hashing', 'fast', ...$wrong], $env);
        return TokenAssay::tests([$url, '--user-name', 'alice', '--effort', 'quick'], $env);
    }

    /** @dataProvider cases */
    public function testContract(array $case): void
    {
        TokenAssay::check($case);
    }
}
