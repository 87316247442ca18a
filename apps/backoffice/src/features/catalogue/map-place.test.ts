// @vitest-environment node
import { expect, it } from 'vitest';
import { mapPlace } from './map-place.ts';

it.each([
  ['18.79, 98.98', 18.79, 98.98],
  [' 18.7961 98.9683 ', 18.7961, 98.9683],
  ['-33.86,151.2', -33.86, 151.2],
  [
    'https://www.google.com/maps/place/Spa/@18.7,98.9,17z/data=!3m1!4b1!4m6!3m5!1s0x30!8m2!3d18.7961!4d98.9683',
    18.7961,
    98.9683,
  ],
  ['https://www.google.co.th/maps/@18.7961,98.9683,15z', 18.7961, 98.9683],
  ['https://www.google.com/maps/search/?api=1&query=18.7961,98.9683', 18.7961, 98.9683],
  ['https://www.google.com/maps/search/18.7961,+98.9683?entry=tts', 18.7961, 98.9683],
  ['maps.google.com/?q=18.7961,98.9683', 18.7961, 98.9683],
  ['https://maps.google.com/maps?q=loc:18.7961,98.9683', 18.7961, 98.9683],
  ['https://maps.apple.com/?ll=18.7961,98.9683&q=Spa', 18.7961, 98.9683],
  ['https://maps.apple.com/place?coordinate=18.7961,98.9683&name=Spa', 18.7961, 98.9683],
])('reads %s', (text, latitude, longitude) => {
  expect(mapPlace(text)).toEqual({ latitude, longitude });
});

it.each([
  'https://maps.app.goo.gl/AbCdEf123',
  'https://goo.gl/maps/AbCdEf',
  'maps.app.goo.gl/x',
  'https://maps.apple/p/x',
])('follows no short link: %s', (text) => {
  expect(mapPlace(text)).toBe('short');
});

it.each([
  '',
  'นิมมานเหมินท์ ซอย 9',
  '98.98',
  '118.79, 98.98',
  '18.79, 198.98',
  'https://evil.example/maps/@18.7961,98.9683,15z',
  'https://google.com.evil.example/maps/@18.7961,98.9683,15z',
  'https://www.google.com/maps',
  'javascript:alert(1)',
])('takes nothing else: %s', (text) => {
  expect(mapPlace(text)).toBeNull();
});
