// Made from api/openapi.json by `make generate`.
export const limits = {
  "/api/admin/admin/save": {
    "email": {
      "maxLength": 254
    },
    "id": {
      "required": true
    },
    "name": {
      "minLength": 1,
      "maxLength": 80,
      "required": true
    },
    "role": {
      "required": true
    }
  },
  "/api/admin/announcement/add": {
    "kind": {
      "required": true
    },
    "text_en": {
      "minLength": 1,
      "maxLength": 1000,
      "required": true
    },
    "text_th": {
      "minLength": 1,
      "maxLength": 1000,
      "required": true
    },
    "title_en": {
      "minLength": 1,
      "maxLength": 120,
      "required": true
    },
    "title_th": {
      "minLength": 1,
      "maxLength": 120,
      "required": true
    }
  },
  "/api/admin/announcement/save": {
    "id": {
      "required": true
    },
    "kind": {
      "required": true
    },
    "text_en": {
      "minLength": 1,
      "maxLength": 1000,
      "required": true
    },
    "text_th": {
      "minLength": 1,
      "maxLength": 1000,
      "required": true
    },
    "title_en": {
      "minLength": 1,
      "maxLength": 120,
      "required": true
    },
    "title_th": {
      "minLength": 1,
      "maxLength": 120,
      "required": true
    }
  },
  "/api/admin/bankholiday/save": {
    "day": {
      "required": true
    },
    "name_en": {
      "minLength": 1,
      "maxLength": 200,
      "required": true
    },
    "name_th": {
      "minLength": 1,
      "maxLength": 200,
      "required": true
    },
    "source": {
      "minLength": 1,
      "maxLength": 300,
      "required": true
    }
  },
  "/api/admin/organize/line/save": {
    "id": {
      "required": true
    },
    "line.channel_id": {
      "maxLength": 20,
      "pattern": "^[0-9]*$"
    },
    "line.channel_secret": {
      "maxLength": 64
    }
  },
  "/api/admin/organize/payment/save": {
    "collector": {
      "required": true
    },
    "id": {
      "required": true
    },
    "payment.public_key": {
      "maxLength": 100
    },
    "payment.secret_key": {
      "maxLength": 100
    },
    "payment.webhook_secret": {
      "maxLength": 200
    }
  },
  "/api/admin/organize/save": {
    "background_color_primary": {
      "pattern": "^#[0-9a-f]{6}$"
    },
    "background_color_secondary": {
      "pattern": "^#[0-9a-f]{6}$"
    },
    "line.channel_id": {
      "maxLength": 20,
      "pattern": "^[0-9]*$"
    },
    "line.channel_secret": {
      "maxLength": 64
    },
    "logo": {
      "maxLength": 900000
    },
    "name_en": {
      "minLength": 1,
      "maxLength": 80,
      "required": true
    },
    "name_th": {
      "minLength": 1,
      "maxLength": 80,
      "required": true
    },
    "owner.name": {
      "minLength": 1,
      "maxLength": 80,
      "required": true
    },
    "owner.password": {
      "maxLength": 72
    },
    "owner.username": {
      "minLength": 3,
      "maxLength": 40,
      "pattern": "^[A-Za-z0-9._@-]+$",
      "required": true
    },
    "payment.public_key": {
      "maxLength": 100
    },
    "payment.secret_key": {
      "maxLength": 100
    },
    "payment.webhook_secret": {
      "maxLength": 200
    },
    "plan_id": {
      "required": true
    },
    "tagline_en": {
      "maxLength": 120
    },
    "tagline_th": {
      "maxLength": 120
    },
    "unique": {
      "pattern": "^[a-z0-9-]{3,40}$"
    }
  },
  "/api/admin/organize/setting/save": {
    "background_color_primary": {
      "pattern": "^#[0-9a-f]{6}$"
    },
    "background_color_secondary": {
      "pattern": "^#[0-9a-f]{6}$"
    },
    "id": {
      "required": true
    },
    "logo": {
      "maxLength": 900000
    },
    "name_en": {
      "minLength": 1,
      "maxLength": 80,
      "required": true
    },
    "name_th": {
      "minLength": 1,
      "maxLength": 80,
      "required": true
    },
    "tagline_en": {
      "maxLength": 120
    },
    "tagline_th": {
      "maxLength": 120
    }
  },
  "/api/admin/organize/suspend": {
    "id": {
      "required": true
    },
    "reason": {
      "minLength": 1,
      "maxLength": 500,
      "required": true
    }
  },
  "/api/admin/plan/add": {
    "fee_basis_points": {
      "minimum": 0,
      "maximum": 5000,
      "required": true
    },
    "name_en": {
      "minLength": 1,
      "maxLength": 80,
      "required": true
    },
    "name_th": {
      "minLength": 1,
      "maxLength": 80,
      "required": true
    }
  },
  "/api/admin/plan/save": {
    "fee_basis_points": {
      "minimum": 0,
      "maximum": 5000,
      "required": true
    },
    "id": {
      "required": true
    },
    "name_en": {
      "minLength": 1,
      "maxLength": 80,
      "required": true
    },
    "name_th": {
      "minLength": 1,
      "maxLength": 80,
      "required": true
    }
  },
  "/api/admin/settlement/draft": {
    "minimum_satang": {
      "minimum": 1,
      "maximum": 100000000,
      "required": true
    },
    "pay_day": {
      "required": true
    },
    "up_to": {
      "required": true
    }
  },
  "/api/admin/template/save": {
    "id": {
      "required": true
    },
    "name_en": {
      "minLength": 1,
      "maxLength": 80,
      "required": true
    },
    "name_th": {
      "minLength": 1,
      "maxLength": 80,
      "required": true
    },
    "status": {
      "required": true
    }
  },
  "/api/agent/register/save": {
    "account_name": {
      "maxLength": 100
    },
    "account_number": {
      "maxLength": 30
    },
    "address": {
      "maxLength": 100
    },
    "bank": {
      "maxLength": 3
    },
    "birthdate": {
      "maxLength": 10
    },
    "branch": {
      "maxLength": 5
    },
    "company_name": {
      "maxLength": 80
    },
    "district": {
      "maxLength": 60
    },
    "emailaddress": {
      "maxLength": 320
    },
    "firstname": {
      "maxLength": 40
    },
    "idcard": {
      "maxLength": 20
    },
    "kind": {
      "required": true
    },
    "lastname": {
      "maxLength": 40
    },
    "mobilenumber": {
      "maxLength": 20
    },
    "nationality": {
      "maxLength": 2
    },
    "postcode": {
      "maxLength": 5
    },
    "province": {
      "maxLength": 60
    },
    "referercode": {
      "maxLength": 20
    },
    "subdistrict": {
      "maxLength": 60
    },
    "tax_id": {
      "maxLength": 20
    }
  },
  "/api/owner/password/change": {
    "old_password": {
      "minLength": 1,
      "maxLength": 72,
      "required": true
    },
    "password": {
      "minLength": 1,
      "maxLength": 72,
      "required": true
    }
  },
  "/api/owner/payoutrun/draft": {
    "kind": {
      "required": true
    },
    "minimum_satang": {
      "minimum": 1,
      "maximum": 100000000,
      "required": true
    },
    "pay_day": {
      "required": true
    },
    "up_to": {
      "required": true
    }
  },
  "/api/owner/payoutsetting/save": {
    "minimum_satang": {
      "minimum": 1,
      "maximum": 100000000,
      "required": true
    }
  },
  "/api/owner/report/subscription/save": {
    "code": {
      "pattern": "^[0-9]{6}$"
    },
    "email": {
      "minLength": 6,
      "maxLength": 254,
      "required": true
    },
    "every": {
      "required": true
    },
    "format": {
      "required": true
    },
    "hour": {
      "minimum": 0,
      "maximum": 23,
      "required": true
    },
    "report": {
      "maxLength": 40
    }
  },
  "/api/owner/save/accesscontrol": {
    "name_en": {
      "maxLength": 80
    },
    "name_th": {
      "minLength": 1,
      "maxLength": 80,
      "required": true
    },
    "position": {
      "minimum": 0,
      "maximum": 9999,
      "required": true
    }
  },
  "/api/owner/save/agenttype": {
    "mature_days": {
      "minimum": 0,
      "maximum": 365,
      "required": true
    },
    "matures": {
      "required": true
    },
    "name_en": {
      "maxLength": 60
    },
    "name_th": {
      "minLength": 1,
      "maxLength": 60,
      "required": true
    },
    "rate_basis_points": {
      "minimum": 0,
      "maximum": 5000,
      "required": true
    },
    "recruiter_basis_points": {
      "minimum": 0,
      "maximum": 5000,
      "required": true
    }
  },
  "/api/owner/save/closed_day": {
    "day": {
      "required": true
    },
    "name_en": {
      "maxLength": 80
    },
    "name_th": {
      "minLength": 1,
      "maxLength": 80,
      "required": true
    }
  },
  "/api/owner/save/closure": {
    "first_day": {
      "required": true
    },
    "last_day": {
      "required": true
    },
    "reason_en": {
      "maxLength": 120
    },
    "reason_th": {
      "minLength": 1,
      "maxLength": 120,
      "required": true
    },
    "service_point_id": {
      "required": true
    }
  },
  "/api/owner/save/commissionrate": {
    "agent_type_id": {
      "required": true
    },
    "first_day": {
      "required": true
    },
    "kind": {
      "required": true
    },
    "recruiter_basis_points": {
      "minimum": 0,
      "maximum": 5000,
      "required": true
    },
    "value": {
      "minimum": 0,
      "maximum": 100000000,
      "required": true
    }
  },
  "/api/owner/save/customertype": {
    "name_en": {
      "maxLength": 80
    },
    "name_th": {
      "minLength": 1,
      "maxLength": 80,
      "required": true
    },
    "position": {
      "minimum": 0,
      "maximum": 9999,
      "required": true
    }
  },
  "/api/owner/save/definestatus": {
    "color": {
      "required": true
    },
    "name_en": {
      "maxLength": 40
    },
    "name_th": {
      "minLength": 1,
      "maxLength": 40,
      "required": true
    },
    "number": {
      "minimum": 1,
      "maximum": 99,
      "required": true
    },
    "table_name": {
      "minLength": 1,
      "maxLength": 40,
      "required": true
    }
  },
  "/api/owner/save/discount": {
    "budget_satang": {
      "minimum": 1,
      "maximum": 1000000000000
    },
    "class": {
      "required": true
    },
    "code": {
      "maxLength": 40
    },
    "how": {
      "required": true
    },
    "kind": {
      "required": true
    },
    "least_items": {
      "minimum": 0,
      "maximum": 9999,
      "required": true
    },
    "least_satang": {
      "minimum": 0,
      "maximum": 1000000000000,
      "required": true
    },
    "max_satang": {
      "minimum": 1,
      "maximum": 1000000000000
    },
    "name_en": {
      "maxLength": 80
    },
    "name_th": {
      "minLength": 1,
      "maxLength": 80,
      "required": true
    },
    "payer": {
      "required": true
    },
    "position": {
      "minimum": 0,
      "maximum": 9999,
      "required": true
    },
    "stack": {
      "required": true
    },
    "uses": {
      "minimum": 1,
      "maximum": 100000000
    },
    "uses_each": {
      "minimum": 1,
      "maximum": 9999
    },
    "value": {
      "minimum": 0,
      "maximum": 1000000000000,
      "required": true
    }
  },
  "/api/owner/save/faq": {
    "answer_en": {
      "maxLength": 4000
    },
    "answer_th": {
      "minLength": 1,
      "maxLength": 4000,
      "required": true
    },
    "name_en": {
      "maxLength": 200
    },
    "name_th": {
      "minLength": 1,
      "maxLength": 200,
      "required": true
    },
    "position": {
      "minimum": 0,
      "maximum": 9999,
      "required": true
    }
  },
  "/api/owner/save/giftvoucher": {
    "conditions_en": {
      "maxLength": 2000
    },
    "conditions_th": {
      "maxLength": 2000
    },
    "expiry_rule": {
      "required": true
    },
    "name_en": {
      "maxLength": 80
    },
    "name_th": {
      "minLength": 1,
      "maxLength": 80,
      "required": true
    },
    "persons": {
      "minimum": 1,
      "maximum": 99
    },
    "resale_cap_percent": {
      "minimum": 1,
      "maximum": 100
    },
    "transfer_rule": {
      "required": true
    },
    "transfer_times": {
      "minimum": 0,
      "maximum": 99,
      "required": true
    },
    "use_from": {
      "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"
    },
    "use_to": {
      "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"
    },
    "valid_days": {
      "minimum": 1,
      "maximum": 3650
    },
    "value_satang": {
      "minimum": 100,
      "maximum": 1000000000000,
      "required": true
    },
    "vat_point": {
      "required": true
    }
  },
  "/api/owner/save/membercardtype": {
    "approval": {
      "required": true
    },
    "asks_address": {
      "required": true
    },
    "asks_birthdate": {
      "required": true
    },
    "asks_email": {
      "required": true
    },
    "asks_gender": {
      "required": true
    },
    "asks_idcard": {
      "required": true
    },
    "asks_nationality": {
      "required": true
    },
    "asks_receipt": {
      "required": true
    },
    "class": {
      "required": true
    },
    "least_age": {
      "minimum": 0,
      "maximum": 99,
      "required": true
    },
    "length": {
      "minimum": 0,
      "maximum": 3650,
      "required": true
    },
    "level": {
      "minimum": 1,
      "maximum": 9,
      "required": true
    },
    "name_en": {
      "maxLength": 40
    },
    "name_th": {
      "minLength": 1,
      "maxLength": 40,
      "required": true
    },
    "points_baht": {
      "minimum": 0,
      "maximum": 10000
    },
    "points_months": {
      "minimum": 0,
      "maximum": 60
    },
    "position": {
      "minimum": 0,
      "maximum": 9999,
      "required": true
    },
    "price_satang": {
      "minimum": 0,
      "maximum": 100000000,
      "required": true
    },
    "validity": {
      "required": true
    }
  },
  "/api/owner/save/partner": {
    "name_en": {
      "maxLength": 80
    },
    "name_th": {
      "minLength": 1,
      "maxLength": 80,
      "required": true
    }
  },
  "/api/owner/save/partnerrate": {
    "basis_points": {
      "minimum": 0,
      "maximum": 5000,
      "required": true
    },
    "first_day": {
      "required": true
    },
    "partner_id": {
      "required": true
    }
  },
  "/api/owner/save/pdpa": {
    "audience": {
      "required": true
    },
    "body_en": {
      "minLength": 1,
      "maxLength": 20000,
      "required": true
    },
    "body_th": {
      "minLength": 1,
      "maxLength": 20000,
      "required": true
    },
    "name_en": {
      "minLength": 1,
      "maxLength": 120,
      "required": true
    },
    "name_th": {
      "minLength": 1,
      "maxLength": 120,
      "required": true
    },
    "purpose": {
      "required": true
    },
    "version": {
      "minLength": 1,
      "maxLength": 20,
      "required": true
    }
  },
  "/api/owner/save/permission": {
    "name_en": {
      "maxLength": 60
    },
    "name_th": {
      "minLength": 1,
      "maxLength": 60,
      "required": true
    }
  },
  "/api/owner/save/privilege": {
    "name_en": {
      "maxLength": 80
    },
    "name_th": {
      "minLength": 1,
      "maxLength": 80,
      "required": true
    },
    "position": {
      "minimum": 0,
      "maximum": 9999,
      "required": true
    }
  },
  "/api/owner/save/qrtype": {
    "name_en": {
      "maxLength": 80
    },
    "name_th": {
      "minLength": 1,
      "maxLength": 80,
      "required": true
    },
    "position": {
      "minimum": 0,
      "maximum": 9999,
      "required": true
    }
  },
  "/api/owner/save/salechannel": {
    "name_en": {
      "maxLength": 80
    },
    "name_th": {
      "minLength": 1,
      "maxLength": 80,
      "required": true
    },
    "position": {
      "minimum": 0,
      "maximum": 9999,
      "required": true
    }
  },
  "/api/owner/save/salepackage": {
    "badge_en": {
      "maxLength": 30
    },
    "badge_th": {
      "maxLength": 30
    },
    "class": {
      "required": true
    },
    "code": {
      "maxLength": 20,
      "pattern": "^[A-Za-z0-9-]*$"
    },
    "description_en": {
      "maxLength": 4000
    },
    "description_th": {
      "maxLength": 4000
    },
    "list_price_satang": {
      "minimum": 0,
      "maximum": 1000000000000
    },
    "name_en": {
      "maxLength": 80
    },
    "name_th": {
      "minLength": 1,
      "maxLength": 80,
      "required": true
    },
    "parts.*.new_voucher_type.conditions_en": {
      "maxLength": 2000
    },
    "parts.*.new_voucher_type.conditions_th": {
      "maxLength": 2000
    },
    "parts.*.new_voucher_type.expiry_rule": {
      "required": true
    },
    "parts.*.new_voucher_type.items": {
      "minimum": 1,
      "maximum": 999,
      "required": true
    },
    "parts.*.new_voucher_type.list_price_satang": {
      "minimum": 0,
      "maximum": 1000000000000
    },
    "parts.*.new_voucher_type.name_en": {
      "maxLength": 80
    },
    "parts.*.new_voucher_type.name_th": {
      "minLength": 1,
      "maxLength": 80,
      "required": true
    },
    "parts.*.new_voucher_type.valid_days": {
      "minimum": 1,
      "maximum": 3650
    },
    "parts.*.quantity": {
      "minimum": 1,
      "maximum": 99,
      "required": true
    },
    "per_customer": {
      "minimum": 1,
      "maximum": 9999
    },
    "price_satang": {
      "minimum": 0,
      "maximum": 1000000000000,
      "required": true
    },
    "quantity": {
      "minimum": 0,
      "maximum": 100000000
    },
    "refund_days": {
      "minimum": 1,
      "maximum": 365,
      "required": true
    },
    "refund_fee_basis_points": {
      "minimum": 0,
      "maximum": 10000,
      "required": true
    },
    "refund_rule": {
      "required": true
    }
  },
  "/api/owner/save/service": {
    "name_en": {
      "maxLength": 80
    },
    "name_th": {
      "minLength": 1,
      "maxLength": 80,
      "required": true
    },
    "position": {
      "minimum": 0,
      "maximum": 9999,
      "required": true
    }
  },
  "/api/owner/save/service_point": {
    "address_en": {
      "maxLength": 300
    },
    "address_th": {
      "maxLength": 300
    },
    "hours_en": {
      "maxLength": 200
    },
    "hours_th": {
      "maxLength": 200
    },
    "latitude": {
      "minimum": -90,
      "maximum": 90
    },
    "longitude": {
      "minimum": -180,
      "maximum": 180
    },
    "name_en": {
      "maxLength": 80
    },
    "name_th": {
      "minLength": 1,
      "maxLength": 80,
      "required": true
    },
    "phone": {
      "maxLength": 20
    }
  },
  "/api/owner/save/size": {
    "name_en": {
      "maxLength": 80
    },
    "name_th": {
      "minLength": 1,
      "maxLength": 80,
      "required": true
    },
    "position": {
      "minimum": 0,
      "maximum": 9999,
      "required": true
    }
  },
  "/api/owner/save/staff": {
    "email": {
      "maxLength": 254
    },
    "name": {
      "minLength": 1,
      "maxLength": 80,
      "required": true
    },
    "password": {
      "maxLength": 72
    },
    "role": {
      "required": true
    },
    "username": {
      "minLength": 3,
      "maxLength": 60,
      "pattern": "^[A-Za-z0-9._@-]+$",
      "required": true
    }
  },
  "/api/owner/save/tags": {
    "name_en": {
      "maxLength": 40
    },
    "name_th": {
      "minLength": 1,
      "maxLength": 40,
      "required": true
    },
    "position": {
      "minimum": 0,
      "maximum": 9999,
      "required": true
    }
  },
  "/api/owner/save/termsandconditions": {
    "audience": {
      "required": true
    },
    "body_en": {
      "minLength": 1,
      "maxLength": 20000,
      "required": true
    },
    "body_th": {
      "minLength": 1,
      "maxLength": 20000,
      "required": true
    },
    "name_en": {
      "minLength": 1,
      "maxLength": 120,
      "required": true
    },
    "name_th": {
      "minLength": 1,
      "maxLength": 120,
      "required": true
    },
    "purpose": {
      "required": true
    },
    "version": {
      "minLength": 1,
      "maxLength": 20,
      "required": true
    }
  },
  "/api/owner/save/timeslot": {
    "name_en": {
      "maxLength": 80
    },
    "name_th": {
      "minLength": 1,
      "maxLength": 80,
      "required": true
    },
    "position": {
      "minimum": 0,
      "maximum": 9999,
      "required": true
    }
  },
  "/api/owner/save/vouchertype": {
    "conditions_en": {
      "maxLength": 2000
    },
    "conditions_th": {
      "maxLength": 2000
    },
    "expiry_rule": {
      "required": true
    },
    "items": {
      "minimum": 1,
      "maximum": 999,
      "required": true
    },
    "list_price_satang": {
      "minimum": 0,
      "maximum": 1000000000000,
      "required": true
    },
    "name_en": {
      "maxLength": 80
    },
    "name_th": {
      "minLength": 1,
      "maxLength": 80,
      "required": true
    },
    "persons": {
      "minimum": 1,
      "maximum": 99
    },
    "resale_cap_percent": {
      "minimum": 1,
      "maximum": 100
    },
    "transfer_rule": {
      "required": true
    },
    "transfer_times": {
      "minimum": 0,
      "maximum": 99,
      "required": true
    },
    "use_from": {
      "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"
    },
    "use_to": {
      "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"
    },
    "valid_days": {
      "minimum": 1,
      "maximum": 3650
    },
    "vat_point": {
      "required": true
    }
  },
  "/api/owner/setting/approval/save": {
    "extend_above_vouchers": {
      "minimum": 0,
      "maximum": 5000
    },
    "refund_above_satang": {
      "minimum": 0,
      "maximum": 100000000
    }
  },
  "/api/owner/setting/board/save": {
    "cap_percent": {
      "minimum": 1,
      "maximum": 100,
      "required": true
    },
    "days": {
      "minimum": 1,
      "maximum": 90,
      "required": true
    },
    "royalty_basis_points": {
      "minimum": 0,
      "maximum": 5000,
      "required": true
    }
  },
  "/api/owner/setting/contactus/save": {
    "address_en": {
      "maxLength": 300
    },
    "address_th": {
      "maxLength": 300
    },
    "branch": {
      "maxLength": 5,
      "pattern": "^([0-9]{5})?$"
    },
    "email": {
      "maxLength": 254
    },
    "legal_name_en": {
      "maxLength": 160
    },
    "legal_name_th": {
      "maxLength": 160
    },
    "line_id": {
      "maxLength": 31,
      "pattern": "^(@?[A-Za-z0-9._-]{1,30})?$"
    },
    "phone": {
      "maxLength": 20,
      "pattern": "^[0-9+() -]*$"
    },
    "tax_id": {
      "maxLength": 13,
      "pattern": "^([0-9]{13})?$"
    }
  },
  "/api/owner/setting/gift/save": {
    "days": {
      "minimum": 1,
      "maximum": 30,
      "required": true
    }
  },
  "/api/owner/setting/product/save": {
    "slug": {
      "pattern": "^[a-z]{2,20}$"
    },
    "word_en": {
      "minLength": 1,
      "maxLength": 20,
      "required": true
    },
    "word_th": {
      "minLength": 1,
      "maxLength": 20,
      "required": true
    }
  },
  "/api/owner/setting/push/limit/save": {
    "monthly_limit": {
      "minimum": 0,
      "maximum": 1000000
    },
    "uses_from_satang": {
      "minimum": 100,
      "maximum": 1000000000000
    }
  },
  "/api/owner/setting/push/save": {
    "channel_id": {
      "pattern": "^[0-9]{5,20}$"
    },
    "channel_secret": {
      "maxLength": 64
    }
  },
  "/api/owner/setting/save": {
    "background_color_primary": {
      "pattern": "^#[0-9a-f]{6}$"
    },
    "background_color_secondary": {
      "pattern": "^#[0-9a-f]{6}$"
    },
    "name_en": {
      "minLength": 1,
      "maxLength": 80,
      "required": true
    },
    "name_th": {
      "minLength": 1,
      "maxLength": 80,
      "required": true
    },
    "tagline_en": {
      "maxLength": 120
    },
    "tagline_th": {
      "maxLength": 120
    }
  },
  "/api/owner/setting/wallet/save": {
    "limit_satang": {
      "minimum": 100,
      "maximum": 1000000000000,
      "required": true
    }
  },
  "/api/owner/taxreturn/propose": {
    "filed_on": {
      "required": true
    },
    "id": {
      "required": true
    },
    "note": {
      "maxLength": 500
    },
    "receipt": {
      "minLength": 1,
      "maxLength": 60,
      "required": true
    }
  },
  "/api/staff/password/change": {
    "old_password": {
      "minLength": 1,
      "maxLength": 72,
      "required": true
    },
    "password": {
      "minLength": 1,
      "maxLength": 72,
      "required": true
    }
  },
  "/api/user/member/save": {
    "address": {
      "maxLength": 100
    },
    "birthdate": {
      "maxLength": 10
    },
    "district": {
      "maxLength": 60
    },
    "emailaddress": {
      "maxLength": 320
    },
    "firstname": {
      "maxLength": 40
    },
    "gender": {
      "required": true
    },
    "idcard": {
      "maxLength": 20
    },
    "issued_name": {
      "maxLength": 80
    },
    "lastname": {
      "maxLength": 40
    },
    "mobilenumber": {
      "maxLength": 20
    },
    "name_on_card": {
      "maxLength": 80
    },
    "nationality": {
      "maxLength": 2
    },
    "office_type": {
      "required": true
    },
    "postcode": {
      "maxLength": 5
    },
    "province": {
      "maxLength": 60
    },
    "subdistrict": {
      "maxLength": 60
    },
    "tax_id": {
      "maxLength": 20
    },
    "taxpayer_type": {
      "required": true
    }
  },
  "/api/user/profile/save": {
    "firstname": {
      "maxLength": 40
    },
    "gender": {
      "required": true
    },
    "lastname": {
      "maxLength": 40
    }
  },
  "/api/user/push/save": {}
} as const;
