package catalog

import "github.com/google/uuid"

// PublicServicePoint is a service point as customers and staff see it. The package servicepoint has its row.
type PublicServicePoint struct {
	ID        uuid.UUID `json:"id"`
	NameTH    string    `json:"name_th"`
	NameEN    string    `json:"name_en"`
	AddressTH string    `json:"address_th"`
	AddressEN string    `json:"address_en"`
	Phone     string    `json:"phone"`
	HoursTH   string    `json:"hours_th"`
	HoursEN   string    `json:"hours_en"`
	Latitude  *float64  `json:"latitude"`
	Longitude *float64  `json:"longitude"`
}

// SelectServicePoints selects the columns of PublicServicePoint, in their order, from service_point p.
const SelectServicePoints = `SELECT p.id, p.name_th, p.name_en, p.address_th, p.address_en, p.phone, p.hours_th, p.hours_en, p.latitude, p.longitude
	FROM service_point p `
