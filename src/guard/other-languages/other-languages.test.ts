/** What the patterns find in languages that are not parsed, and what they must not report as tampering. */
import { describe, expect, test } from 'vitest'
import { guard } from '../guard.ts'

const go = {
  path: 'cart/cart_test.go',
  text: `package cart

import "testing"

func TestAdds(t *testing.T) {
	if Total(1, 2) != 3 {
		t.Errorf("no")
	}
	t.Run("empty", func(t *testing.T) {
		require.Equal(t, 0, Total())
	})
}

func TestTable(t *testing.T) {
	for _, c := range []struct{ a, b int }{
		{1, 2},
		{3, 4},
	} {
		assert.Equal(t, c.b, Next(c.a))
	}
}
`,
}
const rust = {
  path: 'src/cart.rs',
  text: `pub fn total() {}

#[cfg(test)]
mod tests {
    #[test]
    fn adds() {
        assert_eq!(total(&[1, 2]), 3);
        assert!(total(&[]) == 0);
    }
}
`,
}
const ruby = {
  path: 'spec/cart_spec.rb',
  text: `RSpec.describe Cart do
  it 'adds' do
    expect(cart.total).to eq(3)
    expect(cart.items).to eq(['pen'])
  end

  context 'empty' do
    it 'is free' do
      expect(Cart.new.total).to eq(0)
    end
  end
end
`,
}
const java = {
  path: 'src/test/java/CartTest.java',
  text: `class CartTest {
    @Test
    void adds() {
        assertEquals(3, cart.total());
        assertEquals(1, cart.size());
    }
}
`,
}
const kotlin = {
  path: 'src/test/kotlin/CartTest.kt',
  text: `class CartTest {
    @Test
    fun \`adds prices\`() {
        assertEquals(3, cart.total())
    }
}
`,
}
const csharp = {
  path: 'Cart.Tests/CartTests.cs',
  text: `public class CartTests
{
    [Fact]
    public void Adds()
    {
        Assert.Equal(3, cart.Total());
    }
}
`,
}
const php = {
  path: 'tests/CartTest.php',
  text: `<?php
final class CartTest extends TestCase
{
    public function testAdds(): void
    {
        $this->assertSame(3, $cart->total());
    }
}
`,
}
const elixir = {
  path: 'test/cart_test.exs',
  text: `defmodule CartTest do
  test "adds" do
    assert Cart.total([1, 2]) == 3
  end
end
`,
}
const swift = {
  path: 'Tests/CartTests.swift',
  text: `class CartTests: XCTestCase {
    func testAdds() {
        XCTAssertEqual(cart.total, 3)
    }
}
`,
}
const cpp = {
  path: 'test/cart_test.cpp',
  text: `TEST(Cart, Adds) {
  EXPECT_EQ(total(), 3);
}
`,
}
type Source = typeof go

const findings = ({ path, text }: Source, from: string | RegExp, to: string) => {
  const after = text.replace(from, to)
  if (after === text) throw new Error(`nothing matched ${from}`)
  return guard.compare([{ path, before: text, after }]).findings.map(({ kind, test: name }) => [kind, name])
}

describe('tampering in other languages (F13)', () => {
  test.each<[source: Source, from: string | RegExp, to: string, found: [kind: string, name: string]]>([
    [go, '	if Total', '	t.Skip("later")\n	if Total', ['test-skipped', 'TestAdds']],
    [go, '		require.Equal', '		t.SkipNow()\n		require.Equal', ['test-skipped', 'TestAdds > "empty"']],
    [go, '		t.Errorf("no")\n', '', ['assertions-removed', 'TestAdds']],
    [go, 'require.Equal(t, 0, Total())', 'require.True(t, true)', ['assertion-weakened', 'TestAdds > "empty"']],
    [go, 'func TestAdds', 'func testAdds', ['test-deleted', 'TestAdds']],
    [go, '		{3, 4},\n', '', ['test-deleted', 'TestTable']],
    [rust, '    #[test]\n', '    #[test]\n    #[ignore]\n', ['test-skipped', 'tests > adds']],
    [rust, '    #[test]\n', '', ['test-deleted', 'tests > adds']],
    [rust, '        assert!(total(&[]) == 0);\n', '', ['assertions-removed', 'tests > adds']],
    [rust, 'assert_eq!(total(&[1, 2]), 3)', 'assert!(true)', ['assertion-weakened', 'tests > adds']],
    [ruby, "it 'adds'", "xit 'adds'", ['test-skipped', 'Cart do > adds']],
    [ruby, "it 'adds' do", "it 'adds' do\n    pending 'later'", ['test-skipped', 'Cart do > adds']],
    [ruby, "it 'adds' do", "it 'adds' do\n    skip", ['test-skipped', 'Cart do > adds']],
    [ruby, "it 'adds'", "it 'adds', skip: true", ['test-skipped', 'Cart do > adds']],
    [ruby, "it 'adds'", "fit 'adds'", ['test-focused', 'Cart do > adds']],
    [ruby, "context 'empty'", "xcontext 'empty'", ['test-skipped', 'Cart do > empty']],
    [ruby, "    expect(cart.items).to eq(['pen'])\n", '', ['assertions-removed', 'Cart do > adds']],
    [ruby, 'expect(cart.total).to eq(3)', 'expect(true).to eq(true)', ['assertion-weakened', 'Cart do > adds']],
    [java, '    @Test\n', '    @Test\n    @Disabled("later")\n', ['test-skipped', 'CartTest > adds']],
    [java, 'class CartTest', '@Ignore\nclass CartTest', ['test-skipped', 'CartTest']],
    [java, '        assertEquals(1, cart.size());\n', '', ['assertions-removed', 'CartTest > adds']],
    [java, 'assertEquals(3, cart.total())', 'assertTrue(true)', ['assertion-weakened', 'CartTest > adds']],
    [java, '    @Test\n', '', ['test-deleted', 'CartTest > adds']],
    [kotlin, '    @Test\n', '    @Test @Ignore\n', ['test-skipped', 'CartTest > adds prices']],
    [csharp, '[Fact]', '[Fact(Skip = "later")]', ['test-skipped', 'CartTests > Adds']],
    [csharp, '        Assert.Equal(3, cart.Total());\n', '', ['assertions-removed', 'CartTests > Adds']],
    [
      php,
      '        $this->assertSame',
      '        $this->markTestSkipped();\n        $this->assertSame',
      ['test-skipped', 'CartTest > testAdds'],
    ],
    [
      php,
      '$this->assertSame(3, $cart->total())',
      '$this->assertTrue(true)',
      ['assertion-weakened', 'CartTest > testAdds'],
    ],
    [elixir, '  test "adds"', '  @tag :skip\n  test "adds"', ['test-skipped', 'CartTest > adds']],
    [elixir, 'assert Cart.total([1, 2]) == 3', 'assert true', ['assertion-weakened', 'CartTest > adds']],
    [
      swift,
      '        XCTAssertEqual',
      '        throw XCTSkip()\n        XCTAssertEqual',
      ['test-skipped', 'CartTests > testAdds'],
    ],
    [cpp, 'TEST(Cart, Adds)', 'TEST(Cart, DISABLED_Adds)', ['test-skipped', 'Cart, Adds']],
    [cpp, '  EXPECT_EQ(total(), 3);\n', '', ['assertions-removed', 'Cart, Adds']],
  ])('$path: %s', (source, from, to, found) => {
    expect(findings(source, from, to)).toContainEqual(found)
  })

  test.each([go, rust, ruby, java, kotlin, csharp, php, elixir, swift, cpp])(
    'the file deleted: $path',
    ({ path, text }) => {
      expect(guard.compare([{ path, before: text, after: null }]).findings.map(({ kind }) => kind)).toContain(
        'test-deleted',
      )
    },
  )
})

describe('honest changes in other languages', () => {
  test.each<[source: Source, from: string | RegExp, to: string]>([
    [go, 'TestAdds', 'TestSumsUp'],
    [go, '	if Total', '	// t.Skip() is for others\n	if Total'],
    [go, '		{3, 4},\n', '		{3, 4},\n		{5, 6},\n'],
    [rust, 'fn adds', 'fn sums_up'],
    [rust, '    #[test]\n', '    // #[ignore]\n    #[test]\n'],
    [rust, 'assert!(total(&[]) == 0)', 'assert_eq!(total(&[]), 0)'],
    [ruby, "it 'adds'", "it 'sums up'"],
    [ruby, "  it 'adds' do", "  # xit 'adds'\n  it 'adds' do"],
    [ruby, 'eq(3)', 'eq(4)'],
    [java, 'void adds', 'void sumsUp'],
    [java, '    @Test\n', '    @Test\n    @DisplayName("adds")\n'],
    [java, '        assertEquals(3', '        // @Disabled\n        assertEquals(3'],
    [kotlin, 'adds prices', 'sums up'],
    [csharp, 'public void Adds', 'public async Task Adds'],
    [php, 'testAdds', 'testSumsUp'],
    [elixir, '"adds"', '"sums up"'],
    [swift, 'testAdds', 'testSumsUp'],
    [cpp, 'EXPECT_EQ(total(), 3)', 'ASSERT_EQ(total(), 3)'],
  ])('$path: %s', (source, from, to) => {
    expect(findings(source, from, to)).toEqual([])
  })

  test('assertions in a helper', () => {
    const before =
      'func TestA(t *testing.T) {\n\tgot := A(1)\n\tif got != 1 {\n\t\tt.Errorf("no")\n\t}\n\tif B(got) != 2 {\n\t\tt.Fatal("no")\n\t}\n}\n'
    const after =
      'func isOne(t *testing.T, got int) {\n\tif got != 1 {\n\t\tt.Errorf("no")\n\t}\n\tif B(got) != 2 {\n\t\tt.Fatal("no")\n\t}\n}\n\nfunc TestA(t *testing.T) {\n\tisOne(t, A(1))\n}\n'
    expect(guard.compare([{ path: go.path, before, after }]).findings).toEqual([])
    expect(
      guard.compare([{ path: go.path, before, after: after.replace('\t\tt.Fatal("no")\n', '') }]).findings,
    ).toMatchObject([{ kind: 'assertions-removed', test: 'TestA' }])
  })

  test.each([go, rust, ruby, java, kotlin, csharp, php, elixir, swift, cpp])(
    'the same tests elsewhere: $path',
    ({ path, text }) => {
      expect(
        guard.compare([
          { path, before: text, after: null },
          { path: `more/${path}`, before: null, after: text },
        ]),
      ).toEqual({ findings: [], newTests: [] })
    },
  )
})
