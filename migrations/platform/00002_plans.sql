-- The plans to begin with; admins add their own.
-- +goose Up
INSERT INTO plan (id, name_th, name_en, modules, fee_basis_points, status, created_at) VALUES
  ('019380a0-0000-7000-8000-000000000001', 'เริ่มต้น', 'Starter',
   '{salepackage,giftvoucher,vouchertype,voucher,customer,servicepoint,tags,staff,permission,setting,pdpa,termsandconditions,dashboard,activevoucher}',
   400, 5, '2026-11-01T00:00:00Z'),
  ('019380a0-0000-7000-8000-000000000002', 'เติบโต', 'Growth',
   '{salepackage,giftvoucher,vouchertype,voucher,customer,servicepoint,tags,staff,permission,setting,pdpa,termsandconditions,dashboard,activevoucher,agent,agentsetting,memberlist,membercard,membercardtype,privilage,discount,payment}',
   300, 5, '2026-11-01T00:00:00Z');
