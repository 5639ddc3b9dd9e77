import { svgDimensions } from './svg-dimensions.js';

const svg = (attributes: string) => svgDimensions(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}><g/></svg>`);

describe('the dimensions of an SVG', () => {
  it.each([
    ['width="12" height="8"', 12, 8],
    ['width="12px" height="8PX"', 12, 8],
    ['width="12.4" height="8.5"', 12, 9],
    ['width="1e2" height="+5"', 100, 5],
    ['width=".5" height="8"', 1, 8],
    ["width='12' height='8'", 12, 8],
    ['width="1in" height="25.4mm"', 96, 96],
    ['width="2.54cm" height="6pc"', 96, 96],
    ['width="72pt" height="101.6Q"', 96, 96],
    ['width="210mm" height="297MM"', 794, 1123],
    ['width="12" height="8" viewBox="0 0 0 0"', 12, 8],
  ])('are the width and height of the root element: %s', (attributes, width, height) => {
    expect(svg(attributes)).toEqual({ width, height });
  });

  it.each([
    ['viewBox="0 0 30 20"', 30, 20],
    ['viewBox="0,0,30,20"', 30, 20],
    ['viewBox=" -5 -5  30.6 20.5 "', 31, 21],
    ['width="100%" height="100%" viewBox="0 0 30 20"', 30, 20],
    ['width="auto" height="auto" viewBox="0 0 30 20"', 30, 20],
    ['width="10vw" height="8vh" viewBox="0 0 30 20"', 30, 20],
    ['width="1em" height="1em" viewBox="0 0 30 20"', 30, 20],
    ['width="2rem" height="3ex" viewBox="0 0 30 20"', 30, 20],
    ['width="4ch" height="5vmin" viewBox="0 0 30 20"', 30, 20],
    ['width="96" height="1em" viewBox="0 0 30 20"', 96, 64],
    ['width="60" viewBox="0 0 30 20"', 60, 40],
    ['height="60" viewBox="0 0 30 20"', 90, 60],
    ['width="50%" height="60" viewBox="0 0 30 20"', 90, 60],
  ])('come from the viewBox if a side is missing or relative: %s', (attributes, width, height) => {
    expect(svg(attributes)).toEqual({ width, height });
  });

  it.each([
    '',
    'width="12"',
    'width="10em" height="10em"',
    'width="100%" height="100%"',
    'width="0" height="8"',
    'width="-3" height="8"',
    'width="1e999" height="8"',
    'width="1e12" height="8"',
    'width="NaN" height="8"',
    'viewBox="0 0 0 0"',
    'viewBox="0 0 30"',
    'viewBox="0 0 30 -20"',
    'viewBox="nonsense"',
  ])('are unknown for %s', (attributes) => {
    expect(svg(attributes)).toBeUndefined();
  });

  it.each([
    ['a declaration and comments', '<?xml version="1.0"?>\n<!-- <svg width="1" height="1"> -->'],
    ['a byte order mark and a doctype', '\ufeff<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd">'],
    ['entities', '<!DOCTYPE svg [<!ENTITY a "b">]>\n'],
  ])('are found after %s', (_case, prolog) => {
    expect(svgDimensions(`${prolog}<svg width="12" height="8">`)).toEqual({ width: 12, height: 8 });
  });

  it('are those of the root element alone, with any prefix', () => {
    const nested = '<svg:svg xmlns:svg="x" viewBox="0 0 3 4"><svg:svg width="12" height="8"/></svg:svg>';
    expect(svgDimensions(nested)).toEqual({ width: 3, height: 4 });
    expect(svgDimensions('<html><svg width="12" height="8"/></html>')).toBeUndefined();
    expect(svgDimensions('<svg width="12" height="8"')).toBeUndefined();
    expect(svgDimensions('no markup')).toBeUndefined();
  });

  it.each([
    ['attributes', (length: number) => `<svg ${'a="" '.repeat(length / 5)}`],
    ['one attribute', (length: number) => `<svg width="${'1'.repeat(length)}`],
    ['spaces in a number', (length: number) => `<svg width="1${' '.repeat(length)}x" viewBox="${' '.repeat(length)}">`],
    ['unclosed elements', (length: number) => `<svg>${'<a>'.repeat(length / 3)}${'</b>'.repeat(length / 3)}`],
    ['comments', (length: number) => '<!--'.repeat(length / 4)],
    ['declarations', (length: number) => '<!DOCTYPE ['.repeat(length / 11)],
    ['entities', (length: number) => `<svg width="${'&amp;'.repeat(length / 5)}">`],
  ])('take linear time: %s', (_case, make) => {
    const started = performance.now();
    svgDimensions(make(500_000));
    // Quadratic time would be minutes.
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});
