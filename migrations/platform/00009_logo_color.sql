-- The logo of an organisation that is still being opened is kept as the wire calls a picture's fields: colour is color now.
-- +goose Up
UPDATE organisation SET first_owner = jsonb_set(first_owner #- '{logo,picture,colour}', '{logo,picture,color}', first_owner #> '{logo,picture,colour}')
  WHERE first_owner #> '{logo,picture}' ? 'colour';
