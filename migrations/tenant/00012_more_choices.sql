-- Every option list that the specification's calls name (section 7) can be kept.
-- +goose Up

ALTER TABLE choice DROP CONSTRAINT choice_list, ADD CONSTRAINT choice_list CHECK (list IN ('customertype', 'salechannel', 'qrtype', 'timeslot',
  'service', 'size', 'discount', 'privilege', 'membercardtype', 'accesscontrol'));
